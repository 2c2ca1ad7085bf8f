#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "dshn/data/dataset.hpp"
#include "dshn/io/load.hpp"

namespace dshn::data {

/// Which columns of a table, or attributes of a HIF file, become features.
struct FeatureChoice {
  enum class Rule : std::uint8_t {
    usual,  ///< all columns of a table, no attributes
    all,
    named,
  };
  Rule rule = Rule::usual;
  std::set<std::string> names = {};

  bool operator==(const FeatureChoice&) const = default;
};

/// Where classes and features of the nodes, or of the hyperedges, come from.
struct ItemSources {
  /// Files beside the hypergraph, whose rows are joined to it by id; empty: none.
  std::string labels = {};
  std::string features = {};
  /// The column or attribute that has the targets; empty: `label`, in a table also `class` or `y`. Several columns
  /// of numbers, or of labels that are 0 or 1, are separated by commas.
  std::string label_column = {};
  FeatureChoice chosen = {};

  bool operator==(const ItemSources&) const = default;
};

struct OpenOptions {
  io::LoadOptions load;
  ItemSources nodes;
  ItemSources edges;
  /// The column that divides the items into train, val and test; empty: `split`, where a table has it. "none"
  /// takes no column for that.
  std::string split_column;
  /// The column by whose order the items are to be divided; empty: none.
  std::string time_column;
  /// Empty: the registry's for a built-in set, else by the labels that there are.
  std::optional<Task> task;
  /// Empty: as the arrays are stored (floating-point numbers and tables of 0 and 1 are no classes), and classes in
  /// tables and attributes.
  std::optional<TargetKind> target;
  /// Reads the data as a model's was: words of classes get the same places, and columns of tables, found by
  /// name, become the same columns of features. InvalidInput names a class or columns that do not fit, and targets of another
  /// kind. Columns
  /// of labels, parts and times may be missing, and parts and times are not used.
  std::optional<DataCode> like;
  /// Of the generator of the synthetic benchmark.
  std::uint64_t seed = 0;
};

/// Opens a data set by a built-in name, a folder or a file, as it is stored: features and splits that it
/// lacks are for features.hpp and splits.hpp to make.
///
/// WHAT is taken for
///
/// - a name, when it has no slash and is a built-in name or that of a folder in one of data_folders(), which
///   are DSHN_DATA_DIR and the user's cache folder, in this order. A folder of the same name in the current
///   directory is meant by "./NAME".
/// - a path otherwise.
///
/// The synthetic benchmark has two names.
///
/// - `synthetic-io10` (-io30, -io50) means the authors' files. Where they are not on this machine, the set is
///   generated with options.seed, with a warning.
/// - `synthetic-generated-io10` (-io30, -io50) is always generated.
///
/// The resulting data set is called by the latter name whenever it was generated, so no figure can pass for
/// one of the authors' files.
///
/// InvalidInput: a built-in set that is not here (the message says whether it can be fetched, and why not where it
/// cannot), no such file, wrong content. UsageError: a name that is neither built in nor a path (the message
/// suggests the nearest one).
Dataset open(const std::string& what, const OpenOptions& options = {});

/// What a data set is made of, for whoever writes it in another format.
struct OpenedArrays {
  /// As the files have it; what tables say is among the arrays.
  io::Loaded loaded;
  std::vector<std::string> notes;
};

/// As open(), but array by array; where it is asked for, with the data set that open() would give as `ready` arrays.
OpenedArrays open_arrays(const std::string& what, const OpenOptions& options = {}, bool ready = false);

/// io::save, with the `ready` arrays of the data set that these arrays are where the format holds them and they are not
/// there yet. InvalidInput where the arrays are then no data set.
std::vector<std::string> save_arrays(const io::Loaded& loaded, const std::filesystem::path& path);

/// Whether the two read the same from a file; the seed does not count.
bool read_alike(const OpenOptions& a, const OpenOptions& b);

}  // namespace dshn::data
