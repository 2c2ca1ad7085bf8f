#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dshn/data/dataset.hpp"

namespace dshn::data {

/// One line of the paper's table "Statistics of the datasets". A field is empty where the table has a dash,
/// and for the reaction sets, of which the paper gives the sizes only.
struct StatisticsRow {
  Index nodes = 0;
  std::optional<Index> features;
  Index hyperedges = 0;
  Index classes = 0;
  std::optional<double> avg_hyperedge_size;
  std::optional<double> avg_node_degree;
  std::optional<double> ce_homophily;
};

/// How a set is divided into training, validation and test items.
enum class SplitKind : std::uint8_t {
  published,   ///< the masks that come with the data
  random,      ///< seeded, whatever the classes
  stratified,  ///< seeded, every class in the same proportion
  per_class,   ///< seeded, the shares of each class rounded down, the rest is for testing
  by_time,     ///< the earliest items for training, the latest for testing
};

enum class Metric : std::uint8_t { accuracy, f1 };

/// A part of the node features: the set's own ones, or what stands for them or beside them.
enum class FeatureKind : std::uint8_t {
  stored,
  degree,
  role_degrees,
  one_hot_degree,
  constant,
  random,
  spectral
};

/// A public file: BASE/folder/path, where `folder` is a folder of a repository at a certain commit.
/// It is kept under the last part of `path`.
struct SourceFile {
  std::string_view folder;
  std::string_view path;
  std::int64_t bytes = 0;
  std::string_view sha256;

  std::string_view file_name() const { return path.substr(path.rfind('/') + 1); }
};

enum class Availability : std::uint8_t {
  download,     ///< fetch() brings it, complete
  manual,       ///< public, but not in files that this program reads or can verify: `remark` says why
  generated,    ///< made on the spot
  unavailable,  ///< not published
};

/// Where a set can be had.
struct Source {
  Availability availability = Availability::unavailable;
  /// Page of the project that publishes it; empty when there is none.
  std::string_view home;
  std::string_view licence;
  std::span<const SourceFile> files;
  /// What to hand to the loader inside the folder of the fetched files: one of them, or empty for the folder.
  std::string_view open_file;
  std::string_view remark;
};

/// One built-in data set.
struct Entry {
  std::string_view name;
  /// As the paper writes it.
  std::string_view title;
  Task task = Task::node_classification;
  Metric metric = Metric::accuracy;
  SplitKind split = SplitKind::random;
  FeatureKind default_features = FeatureKind::stored;
  /// The paper's row; for the variants of a set, the row of the set that they vary.
  std::optional<StatisticsRow> paper;
  /// What the files give; empty where they were never measured or are drawn at random.
  std::optional<StatisticsRow> expected;
  /// Whether `expected` agrees with `paper` in every printed digit.
  bool matches_paper = false;
  Source source;
};

/// The paper's 12 real and 3 synthetic node sets, then its two reaction sets, then the extras:
///  - `uspto-50k` and `uspto-10k` stand for Molecular-1 (the reactions in another form, a fifth of them);
///  - `chameleon-directed`, `squirrel-directed` have the true hyperlinks instead of the paper's artefact;
///  - `synthetic-generated-io10`, `-io30`, `-io50` are drawn by the generator of the synthetic benchmark.
std::span<const Entry> registry();

/// Null when no built-in data set has this very name.
const Entry* find_entry(std::string_view name);

/// The built-in name that a misspelt one was probably meant to be; empty when none is near.
std::string nearest_name(std::string_view name);

}  // namespace dshn::data
