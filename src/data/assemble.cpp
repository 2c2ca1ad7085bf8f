#include "dshn/data/assemble.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "data/target_arrays.hpp"
#include "dshn/base/error.hpp"
#include "dshn/io/data_files.hpp"

namespace dshn::data {
namespace {

constexpr std::string_view kUnderstood[] = {
    io::kNodeFeatures,     io::kNodeFeatureBits,  io::kNodeFeatureShape, io::kEdgeFeatures, io::kNodeLabels,
    io::kEdgeLabels,       io::kTrainMasks,       io::kValMasks,         io::kTestMasks,    io::kClassNames,
    io::kNodeFeatureNames, io::kEdgeFeatureNames, io::kNodeTarget,       io::kEdgeTarget};

template <typename Arrays>
auto* find(Arrays& arrays, const std::string& name) {
  const auto found = arrays.find(name);
  return found == arrays.end() ? nullptr : &found->second;
}

Features node_features(io::Arrays& arrays, const Items& nodes, const std::string& where) {
  io::Array* x = find(arrays, io::kNodeFeatures);
  io::Array* bits = find(arrays, io::kNodeFeatureBits);
  const io::Array* shape = find(arrays, io::kNodeFeatureShape);
  if ((bits == nullptr) != (shape == nullptr)) {
    throw InvalidInput(fmt::format("{}: {} is missing beside {}", where,
                                   bits == nullptr ? io::kNodeFeatureBits : io::kNodeFeatureShape,
                                   bits == nullptr ? io::kNodeFeatureShape : io::kNodeFeatureBits));
  }
  if (x != nullptr && bits != nullptr) {
    throw InvalidInput(fmt::format("{}: both x and x_bits are there; expected one of them", where));
  }
  if (x != nullptr) return dense_features(std::move(*x), io::kNodeFeatures, nodes, where);
  if (bits != nullptr) return packed_features(std::move(*bits), *shape, nodes, where);
  return {};
}

Task choose_task(const io::Arrays& arrays, std::optional<Task> wanted) {
  if (wanted) return *wanted;
  const bool edges_only = arrays.contains(io::kEdgeLabels) && !arrays.contains(io::kNodeLabels);
  return edges_only ? Task::hyperedge_classification : Task::node_classification;
}

/// Classes without a member are legal (a piece of a data set may lack one), but more often a mistake.
void warn_about_gaps(Dataset& dataset) {
  std::vector<bool> seen(static_cast<std::size_t>(dataset.class_count));
  for (const Index label : dataset.labels) {
    if (label >= 0) seen[static_cast<std::size_t>(label)] = true;
  }
  std::vector<std::size_t> missing;
  for (std::size_t c = 0; c < seen.size(); ++c) {
    if (!seen[c]) missing.push_back(c);
  }
  if (missing.empty()) return;
  const std::size_t more = missing.size() > 5 ? missing.size() - 5 : 0;
  missing.resize(missing.size() - more);
  dataset.warnings.push_back(fmt::format("classes run from 0 to {}, but no {} has class {}{}",
                                         seen.size() - 1, item_word(dataset.task), fmt::join(missing, ", "),
                                         more > 0 ? fmt::format(" and {} more", more) : ""));
}

/// Words may also name classes that no item has; labels and columns of numbers have one each.
void name_targets(Dataset& dataset, const io::Array* given, const std::string& where) {
  if (given == nullptr) return;
  std::vector<std::string>& names = dataset.code.class_names;
  names = given->as<std::string>(where + ": " + io::kClassNames);
  const auto count = static_cast<std::size_t>(dataset.class_count);
  const bool classes = dataset.code.target == TargetKind::classes;
  if (classes && names.size() < count) {
    throw InvalidInput(fmt::format("{}: {} has {} names, but there is a class {}", where, io::kClassNames,
                                   names.size(), count - 1));
  }
  if (!classes && names.size() != count) {
    throw InvalidInput(fmt::format("{}: {} has {} names, but there are {} columns of {}", where,
                                   io::kClassNames, names.size(), count,
                                   target_kind_name(dataset.code.target)));
  }
  dataset.class_count = static_cast<Index>(names.size());
}

/// One stray number would make a class of every number below it, and ids or years are no classes: models and figures
/// grow with the square of what they are taken for.
void check_classes(const Dataset& dataset, const std::string& name, const Items& items,
                   const std::string& where) {
  constexpr Index kPlausible = 10;
  constexpr Index kMostGaps = 100;
  const auto largest = std::ranges::max_element(dataset.labels);
  std::vector<bool> seen(static_cast<std::size_t>(dataset.class_count));
  Index labelled = 0;
  for (const Index label : dataset.labels) {
    if (label < 0) continue;
    seen[static_cast<std::size_t>(label)] = true;
    ++labelled;
  }
  const auto classes = static_cast<Index>(std::ranges::count(seen, true));
  if (dataset.class_count - classes > kMostGaps && dataset.class_count / 10 > classes)
    throw InvalidInput(
        fmt::format("{}: {}: the label of {} is {}, but only {} classes occur; expected classes that are "
                    "numbered from 0 on",
                    where, name, items.quoted(largest - dataset.labels.begin()), *largest, classes));
  if (classes > kPlausible && classes > labelled / 2)
    throw InvalidInput(fmt::format("{}: {}: {} different labels of {} {}s; expected classes that come again",
                                   where, name, classes, labelled, items.word));
}

/// The targets of the items that the task is about; gives back which of them are known.
std::vector<bool> add_targets(Dataset& dataset, const io::Arrays& arrays, const Items& items,
                              const AssembleOptions& options) {
  const bool nodes = dataset.task == Task::node_classification;
  const std::string name = nodes ? io::kNodeLabels : io::kEdgeLabels;
  const std::string other = nodes ? io::kEdgeLabels : io::kNodeLabels;
  const std::string& where = options.where;
  if (arrays.contains(other)) {
    dataset.warnings.push_back(fmt::format("{} is left out: the task is to classify {}s", other, items.word));
  }
  const io::Array* const y = find(arrays, name);
  if (y == nullptr) return {};
  const TargetKind kind =
      kind_of(arrays, name, nodes ? io::kNodeTarget : io::kEdgeTarget, options.target, where);
  Targets targets = targets_in(*y, kind, name, items, where);
  std::vector<bool> known = targets.known();
  dataset.code.target = kind;
  dataset.labels = std::move(targets.labels);
  dataset.values = std::move(targets.values);
  dataset.class_count = targets.count;
  if (!dataset.has_targets()) return {};
  const io::Array* const names = find(arrays, io::kClassNames);
  if (kind == TargetKind::classes && names == nullptr) check_classes(dataset, name, items, where);
  name_targets(dataset, names, where);
  if (kind == TargetKind::classes) warn_about_gaps(dataset);
  return known;
}

/// The names of the columns; none where the array is not there.
std::vector<std::string> column_names(const io::Arrays& arrays, const char* name, const Features& features,
                                      const std::string& where) {
  const io::Array* const given = find(arrays, name);
  if (given == nullptr) return {};
  std::vector<std::string> names = given->as<std::string>(where + ": " + name);
  if (names.size() != static_cast<std::size_t>(features.cols())) {
    throw InvalidInput(fmt::format("{}: {} has {} names, but there are {} columns of features", where, name,
                                   names.size(), features.cols()));
  }
  return names;
}

}  // namespace

Dataset assemble(io::Loaded loaded, const AssembleOptions& options) {
  Dataset dataset;
  dataset.name = options.name;
  dataset.origin = options.where;
  dataset.format = std::move(loaded.format);
  dataset.warnings = std::move(loaded.warnings);
  dataset.hypergraph = loaded.hypergraph;
  dataset.task = choose_task(loaded.arrays, options.task);

  io::Arrays& arrays = loaded.arrays;
  const Items nodes = nodes_of(dataset.hypergraph);
  const Items edges = edges_of(dataset.hypergraph);
  const Items& items = dataset.task == Task::node_classification ? nodes : edges;
  dataset.node_features = node_features(arrays, nodes, options.where);
  if (io::Array* x = find(arrays, io::kEdgeFeatures)) {
    dataset.edge_features = dense_features(std::move(*x), io::kEdgeFeatures, edges, options.where);
  }
  dataset.node_feature_names =
      column_names(arrays, io::kNodeFeatureNames, dataset.node_features, options.where);
  dataset.edge_feature_names =
      column_names(arrays, io::kEdgeFeatureNames, dataset.edge_features, options.where);
  const std::vector<bool> known = add_targets(dataset, arrays, items, options);
  dataset.splits = mask_splits(arrays, items, known, options.where);
  for (const auto& [name, array] : arrays) {
    if (std::ranges::find(kUnderstood, name) == std::end(kUnderstood)) {
      dataset.warnings.push_back(fmt::format("the array {} is not understood and left out", name));
    }
  }
  return dataset;
}

}  // namespace dshn::data
