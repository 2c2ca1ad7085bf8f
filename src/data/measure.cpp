#include "dshn/data/measure.hpp"

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
  row.classes = dataset.class_count;
  row.avg_hyperedge_size = statistics.avg_hyperedge_size;
  row.avg_node_degree = statistics.avg_node_degree;
  if (dataset.task == Task::node_classification && !dataset.labels.empty()) {
    row.ce_homophily = ce_homophily(dataset.hypergraph, dataset.labels);
  }
  return row;
}

bool agree(const StatisticsRow& measured, const StatisticsRow& printed) {
  return measured.nodes == printed.nodes && measured.features == printed.features &&
         measured.hyperedges == printed.hyperedges && measured.classes == printed.classes &&
         rounds_to(measured.avg_hyperedge_size, printed.avg_hyperedge_size, 0.01) &&
         rounds_to(measured.avg_node_degree, printed.avg_node_degree, 0.01) &&
         rounds_to(measured.ce_homophily, printed.ce_homophily, 0.0001);
}

}  // namespace dshn::data
