#include "dshn/data/measure.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "dshn/hypergraph/statistics.hpp"

namespace dshn::data {
namespace {

/// Whether the value, rounded to a multiple of `digit`, is the printed one. The margin is for rounding in the
/// value.
bool rounds_to(std::optional<double> value, std::optional<double> printed, double digit) {
  if (value.has_value() != printed.has_value()) return false;
  const double margin = digit / 2 + 1e-9;
  return !value || (*value > *printed - margin && *value < *printed + margin);
}

}  // namespace

StatisticsRow measure(const Dataset& dataset) {
  const Statistics statistics = dshn::statistics(dataset.hypergraph);
  StatisticsRow row;
  row.nodes = statistics.n_nodes;
  if (dataset.node_features.cols() > 0) row.features = dataset.node_features.cols();
  row.hyperedges = statistics.n_hyperedges;
  if (dataset.code.target != TargetKind::numbers) row.classes = dataset.class_count;
  row.avg_hyperedge_size = statistics.avg_hyperedge_size;
  row.avg_node_degree = statistics.avg_node_degree;
  if (dataset.task == Task::node_classification && !dataset.labels.empty()) {
    row.ce_homophily = ce_homophily(dataset.hypergraph, dataset.labels);
  }
  return row;
}

std::vector<NumberRange> number_ranges(const Dataset& dataset) {
  std::vector<NumberRange> ranges;
  if (dataset.code.target != TargetKind::numbers) return ranges;
  for (Index c = 0; c < dataset.class_count; ++c) {
    std::vector<double> values;
    for (Index i = 0; i < dataset.item_count(); ++i)
      if (dataset.is_known(i)) values.push_back(dataset.value(i, c));
    if (values.empty()) return {};
    const auto [least, greatest] = std::ranges::minmax(values);
    const double mean =
        std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    double squares = 0;
    for (const double value : values) squares += (value - mean) * (value - mean);
    ranges.push_back({dataset.class_name(c), least, mean,
                      std::sqrt(squares / static_cast<double>(values.size())), greatest});
  }
  return ranges;
}

bool agree(const StatisticsRow& measured, const StatisticsRow& printed) {
  return measured.nodes == printed.nodes && measured.features == printed.features &&
         measured.hyperedges == printed.hyperedges && measured.classes == printed.classes &&
         rounds_to(measured.avg_hyperedge_size, printed.avg_hyperedge_size, 0.01) &&
         rounds_to(measured.avg_node_degree, printed.avg_node_degree, 0.01) &&
         rounds_to(measured.ce_homophily, printed.ce_homophily, 0.0001);
}

}  // namespace dshn::data
