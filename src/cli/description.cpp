#include "cli/description.hpp"

#include <algorithm>

#include "cli/paper_row.hpp"
#include "dshn/data/measure.hpp"
#include "dshn/data/splits.hpp"
#include "dshn/hypergraph/components.hpp"

namespace dshn::cli {
namespace {

using Json = nlohmann::ordered_json;

ComponentFigures figures_of(const Components& components) {
  const auto& sizes = components.sizes;
  return {components.count(), sizes.empty() ? 0 : *std::max_element(sizes.begin(), sizes.end())};
}

/// [value, how many] for the values that occur.
Json pairs(const std::vector<Index>& histogram) {
  Json out = Json::array();
  for (std::size_t value = 0; value < histogram.size(); ++value) {
    if (histogram[value] > 0) out.push_back({value, histogram[value]});
  }
  return out;
}

Json splits_json(const data::Dataset& dataset) {
  Json out = Json::array();
  for (const data::Split& split : dataset.splits) {
    out.push_back({{"train", split.train.size()}, {"val", split.val.size()}, {"test", split.test.size()}});
  }
  return out;
}

/// Minimum, mean and the like of each column of numbers.
Json numbers_json(const Description& description) {
  Json out = Json::array();
  for (const data::NumberRange& range : description.numbers)
    out.push_back({{"name", range.name},
                   {"min", range.least},
                   {"mean", range.mean},
                   {"std", range.deviation},
                   {"max", range.greatest}});
  return out;
}

void count_targets(Description& out, const data::Dataset& dataset) {
  if (!dataset.has_targets()) return;
  const data::TargetKind kind = dataset.code.target;
  if (kind != data::TargetKind::numbers) out.class_counts.resize(dataset.class_count);
  for (Index i = 0; i < dataset.item_count(); ++i) {
    if (!dataset.is_known(i)) {
      ++out.unlabelled;
    } else if (kind == data::TargetKind::classes) {
      ++out.class_counts[dataset.labels[i]];
    } else if (kind == data::TargetKind::labels) {
      for (Index c = 0; c < dataset.class_count; ++c) out.class_counts[c] += dataset.value(i, c) == 1 ? 1 : 0;
    }
  }
  out.numbers = data::number_ranges(dataset);
}

void add_structure(Json& out, const Description& description) {
  const Statistics& s = description.statistics;
  out["n_tail_incidences"] = s.n_tail_incidences;
  out["n_head_incidences"] = s.n_head_incidences;
  out["n_directed_hyperedges"] = s.n_directed_hyperedges;
  out["directed_share"] = s.directed_share;
  out["n_isolated_nodes"] = s.n_isolated_nodes;
  out["max_hyperedge_size"] = s.max_hyperedge_size;
  out["max_node_degree"] = s.max_node_degree;
  out["n_components"] = description.components.count;
  out["largest_component"] = description.components.largest;
  out["n_role_components"] = description.role_components.count;
  out["largest_role_component"] = description.role_components.largest;
  out["weighted"] = description.dataset->hypergraph.weighted();
  out["incidence_weights"] = description.dataset->hypergraph.has_incidence_weights();
  out["memory_bytes"] = description.dataset->hypergraph.memory_bytes();
  out["size_histogram"] = pairs(s.size_histogram);
  out["degree_histogram"] = pairs(s.degree_histogram);
}

void add_paper(Json& out, const Description& description) {
  out["paper"] = nullptr;
  out["equals_paper"] = nullptr;
  if (description.paper == nullptr) return;
  const auto here = figures(description.row);
  const auto there = figures(*description.paper->paper);
  Json differences = Json::array();
  for (std::size_t i = 0; i < here.size(); ++i) {
    if (there[i].value && !same_digits(here[i], there[i])) differences.push_back(here[i].key);
  }
  out["paper"] = to_json(*description.paper->paper);
  out["paper"]["name"] = description.paper->name;
  out["equals_paper"] = differences.empty();
  out["differs_in"] = differences;
}

}  // namespace

Description describe(const data::Dataset& dataset, const data::Entry* paper) {
  Description out;
  out.dataset = &dataset;
  out.paper = paper != nullptr && paper->paper ? paper : nullptr;
  out.statistics = statistics(dataset.hypergraph);
  out.row = data::measure(dataset);
  out.components = figures_of(connected_components(dataset.hypergraph));
  out.role_components = figures_of(role_components(dataset.hypergraph));
  count_targets(out, dataset);
  const data::SplitOptions options = data::default_splits(dataset);
  const bool masks_missing = options.kind == data::SplitKind::published && dataset.splits.empty();
  if (dataset.has_targets() && !masks_missing) out.split_protocol = data::split_protocol(dataset, options);
  return out;
}

Json document(const Description& description) {
  const data::Dataset& dataset = *description.dataset;
  Json out;
  out["name"] = dataset.name;
  out["origin"] = dataset.origin;
  out["format"] = dataset.format;
  out["task"] = data::task_words(dataset.task, dataset.code.target);
  out["target"] = data::target_kind_name(dataset.code.target);
  out.update(to_json(description.row));
  out["n_incidences"] = description.statistics.n_incidences;
  add_structure(out, description);
  out["class_counts"] = description.class_counts;
  out["class_names"] = dataset.code.class_names;
  out["n_unlabelled"] = description.unlabelled;
  if (dataset.code.target == data::TargetKind::numbers) out["numbers"] = numbers_json(description);
  out["feature_names"] = dataset.node_feature_names;
  out["n_edge_features"] = dataset.edge_features.cols() > 0 ? Json(dataset.edge_features.cols()) : Json();
  out["edge_feature_names"] = dataset.edge_feature_names;
  out["splits"] = splits_json(dataset);
  out["split_protocol"] = description.split_protocol;
  add_paper(out, description);
  out["warnings"] = dataset.warnings;
  out["notes"] = dataset.notes;
  return out;
}

}  // namespace dshn::cli
