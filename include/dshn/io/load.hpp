#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "dshn/hypergraph/hypergraph.hpp"
#include "dshn/io/array.hpp"
#include "dshn/io/byte_stream.hpp"

namespace dshn::io {

/// What to make of an incidence without a direction in a file that says it is directed.
enum class MissingDirection : std::uint8_t { error, tail, undirected };

/// What the rows of a text file are. `automatic` goes by the file's first line ('#% dshn ...'), then its
/// header, then its third column (a role makes it a hyperedge list), then its extension (.arcs and
/// .edgelist).
enum class TextKind : std::uint8_t { automatic, hyperedges, arcs };

struct LoadOptions {
  OnConflict on_conflict = OnConflict::error;
  MissingDirection missing_direction = MissingDirection::error;
  /// Arc lists: whether column 0 is the tail (true) or the head.
  bool first_column_is_tail = true;
  TextKind text_kind = TextKind::automatic;
  /// Told how far reading has come, from the calling thread; called now and then on large files.
  Progress progress = {};
};

/// What a file or folder held.
struct Loaded {
  Hypergraph hypergraph;
  /// Arrays that came along: x or x_bits and x_shape, y, edge_y, edge_x, train_masks, val_masks, test_masks.
  Arrays arrays;
  /// The format as a person would call it, e.g. "HIF JSON, gzip".
  std::string format;
  /// One line each: things that were assumed, merged or left out.
  std::vector<std::string> warnings;
  /// The metadata of a HIF file as JSON text; empty if there are none.
  std::string metadata;
};

/// Loads a data set folder or a file, recognised by its content first and its extension second: HIF (plain,
/// .gz, .zst), hyperedge lists and arc lists (TSV, CSV), heterophilous-graphs .npz, scipy sparse .npz (with
/// labels beside it, as Telegram has), LINQS .cites, WebKB folders. A data set folder holds
/// hypergraph.hif.json, also .gz or .zst, and nodes.npz with the arrays, which may be missing. Throws
/// InvalidInput.
Loaded load(const std::filesystem::path& path, const LoadOptions& options = {});

/// Writes what load reads, by the name: a folder (no extension, or an existing folder) gets
/// hypergraph.hif.json.gz and nodes.npz; .json, .hif and .hif.json give HIF; .tsv, .csv and .txt a hyperedge
/// list; each also with .gz or .zst. Of the arrays, a HIF file holds the labels y and edge_y only and a
/// hyperedge list none; each line returned names something that was left out. Every file appears complete or
/// not at all. Throws UsageError for any other extension.
std::vector<std::string> save(const Hypergraph& hypergraph, const Arrays& arrays,
                              const std::filesystem::path& path, const std::string& metadata = {});

}  // namespace dshn::io
