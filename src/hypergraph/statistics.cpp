#include "dshn/hypergraph/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "dshn/base/error.hpp"
#include "hypergraph/neighbourhoods.hpp"

namespace dshn {
namespace {

double ratio(Offset part, Offset whole) {
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

/// How many rows have each length; ends with the longest.
std::vector<Index> length_histogram(std::span<const Offset> ptr) {
  std::vector<Index> histogram;
  for (std::size_t i = 1; i < ptr.size(); ++i) {
    const Offset length = ptr[i] - ptr[i - 1];
    if (length >= static_cast<Offset>(histogram.size())) histogram.resize(length + 1, 0);
    ++histogram[length];
  }
  return histogram;
}

Offset longest(const std::vector<Index>& histogram) {
  return histogram.empty() ? 0 : static_cast<Offset>(histogram.size()) - 1;
}

}  // namespace

Statistics statistics(const Hypergraph& hypergraph) {
  const Hypergraph& h = hypergraph;
  Statistics s;
  s.n_nodes = h.node_count();
  s.n_hyperedges = h.edge_count();
  s.n_incidences = h.incidence_count();
  s.avg_hyperedge_size = ratio(s.n_incidences, s.n_hyperedges);
  s.avg_node_degree = ratio(s.n_incidences, s.n_nodes);
  s.size_histogram = length_histogram(h.edge_ptr());
  s.degree_histogram = length_histogram(h.node_ptr());
  s.max_hyperedge_size = longest(s.size_histogram);
  s.max_node_degree = longest(s.degree_histogram);
  s.n_isolated_nodes = s.degree_histogram.empty() ? 0 : s.degree_histogram[0];
  for (Index e = 0; e < h.edge_count(); ++e) {
    s.n_tail_incidences += static_cast<Offset>(h.tail(e).size());
    s.n_directed_hyperedges += h.is_directed(e) ? 1 : 0;
  }
  s.n_head_incidences = s.n_incidences - s.n_tail_incidences;
  s.directed_share = ratio(s.n_directed_hyperedges, s.n_hyperedges);
  return s;
}

double ce_homophily(const Hypergraph& hypergraph, std::span<const Index> labels) {
  if (labels.size() != static_cast<std::size_t>(hypergraph.node_count())) {
    throw InvalidInput(fmt::format("{} labels for {} nodes; expected one label per node", labels.size(),
                                   hypergraph.node_count()));
  }
  std::vector<double> share(labels.size(), 0.0);
  for_each_neighbourhood(hypergraph, [&](Index v, const std::vector<Index>& neighbours) {
    if (labels[v] < 0 || hypergraph.degree(v) == 0) return;
    Offset known = 1;
    Offset alike = 1;
    for (const Index u : neighbours) {
      known += labels[u] >= 0 ? 1 : 0;
      alike += labels[u] == labels[v] ? 1 : 0;
    }
    share[v] = ratio(alike, known);
  });
  // One thread and one order: the sum has the same bits for any number of threads.
  double sum = 0;
  for (const double s : share) sum += s;
  const auto counted = std::count_if(labels.begin(), labels.end(), [](Index label) { return label >= 0; });
  return counted == 0 ? 0.0 : sum / static_cast<double>(counted);
}

}  // namespace dshn
