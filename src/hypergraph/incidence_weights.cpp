#include "hypergraph/incidence_weights.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dshn/base/error.hpp"

namespace dshn {
namespace {

void check_weight(double weight, Index edge, Index node, const Names& node_names, const Names& edge_names) {
  if (std::isfinite(weight) && weight > 0) return;
  throw InvalidInput(
      fmt::format("hyperedge {}, node {}: the incidence has weight {}; expected a finite number "
                  "above 0",
                  edge_names.quoted(edge), node_names.quoted(node), weight),
      Topic{"incidence-weights"});
}

}  // namespace

std::vector<double> group_weights(const IncidenceArrays& in, const EdgeView& view, const Names& node_names,
                                  const Names& edge_names) {
  if (in.weight.empty()) return {};
  std::vector<double> weights(view.nodes.size(), 0.0);
  for (std::size_t i = 0; i < in.edge.size(); ++i) {
    const Index e = in.edge[i];
    check_weight(in.weight[i], e, in.node[i], node_names, edge_names);
    const bool head = !in.role.empty() && in.role[i] == Role::head;
    const auto begin = view.nodes.begin() + (head ? view.head_begin[e] : view.ptr[e]);
    const auto end = view.nodes.begin() + (head ? view.ptr[e + 1] : view.head_begin[e]);
    const auto found = std::lower_bound(begin, end, in.node[i]);
    if (found == end || *found != in.node[i]) continue;  // the node has been kept in its other role
    double& sum = weights[found - view.nodes.begin()];
    sum += in.weight[i];
    check_weight(sum, e, in.node[i], node_names, edge_names);
  }
  const bool all_one = std::all_of(weights.begin(), weights.end(), [](double w) { return w == 1.0; });
  return all_one ? std::vector<double>() : weights;
}

}  // namespace dshn
