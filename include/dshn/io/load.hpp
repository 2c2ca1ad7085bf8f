#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "dshn/hypergraph/hypergraph.hpp"
#include "dshn/io/array.hpp"
#include "dshn/io/array_file.hpp"
#include "dshn/io/item_table.hpp"
#include "dshn/io/progress.hpp"

namespace dshn::io {

/// What to make of an incidence without a direction in a file that says it is directed.
enum class MissingDirection : std::uint8_t { error, tail, undirected };

/// What to make of weights of incidences, and of arcs: members that count so many times, or nothing.
enum class IncidenceWeights : std::uint8_t { use, ignore };

/// What the rows of a text file are: incidences (hyperedge, node), arcs, or reactions (a b -> c). `automatic`
/// goes by the file's first line ('#% dshn ...'), then an arrow in its first row, then its header, then its
/// third column (a role makes it a hyperedge list), then its extension (.arcs and .edgelist).
enum class TextKind : std::uint8_t { automatic, hyperedges, arcs, reactions };

/// Which attributes of nodes or hyperedges a HIF file is asked for.
struct AttributeChoice {
  /// The class of an item.
  std::string label = "label";
  /// Keep it as it stands in the file, whatever its values look like.
  bool label_as_text = false;
  /// Others that are kept, or all of them.
  std::set<std::string> others = {};
  bool all = false;

  bool operator==(const AttributeChoice&) const = default;
};

struct LoadOptions {
  OnConflict on_conflict = OnConflict::error;
  MissingDirection missing_direction = MissingDirection::error;
  IncidenceWeights incidence_weights = IncidenceWeights::use;
  /// Arc lists: whether column 0 is the tail (true) or the head.
  bool first_column_is_tail = true;
  TextKind text_kind = TextKind::automatic;
  TextStyle text = {};
  AttributeChoice node_attributes = {};
  AttributeChoice edge_attributes = {};
  /// Told how far reading has come, from the calling thread; called now and then on large files.
  Progress progress = {};
};

/// What a file or folder held, or is to hold.
struct Loaded {
  Hypergraph hypergraph = {};
  /// Arrays that came along, under the names of data_files.hpp.
  Arrays arrays = {};
  /// What was said about nodes and hyperedges in words and numbers beside the arrays; no columns: nothing.
  ItemTable node_table = {};
  ItemTable edge_table = {};
  /// The format as a person would call it, e.g. "HIF JSON, gzip".
  std::string format = {};
  /// One line each: things that were assumed, merged or left out.
  std::vector<std::string> warnings = {};
  /// One line each: what was made of the file, where nothing in it is doubtful.
  std::vector<std::string> notes = {};
  /// The metadata of a HIF file as JSON text; empty if there are none.
  std::string metadata = {};
  /// The data set that was made of all this, as arrays to be used where they lie in a file: for the binary format, which
  /// does without where there are none. They are kept by their owners.
  ArrayViews ready = {};
};

/// Loads a file or folder in any of the formats of format.hpp, recognised by its content first and its name
/// second. The path "-" is standard input. Throws InvalidInput.
Loaded load(const std::filesystem::path& path, const LoadOptions& options = {});

/// Writes hypergraph, arrays and metadata in the format that the name asks for (see format_to_write) and
/// returns a line about what that format cannot hold. What stood under the name is replaced in one step, or
/// left as it was where anything goes wrong. Throws UsageError for a name that no format has and for a folder
/// that holds more than a data set, which is never replaced.
std::vector<std::string> save(const Loaded& loaded, const std::filesystem::path& path);

/// Throws the UsageError that save() would throw, before the work begins.
void check_target(const std::filesystem::path& path);

}  // namespace dshn::io
