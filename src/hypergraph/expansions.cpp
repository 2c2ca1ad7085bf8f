#include "dshn/hypergraph/expansions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "dshn/base/error.hpp"
#include "dshn/base/parallel_rows.hpp"
#include "hypergraph/neighbourhoods.hpp"

namespace dshn {
namespace {

/// Lengths behind a leading 0 become row pointers.
void accumulate_lengths(std::vector<Offset>& ptr) {
  for (std::size_t i = 1; i < ptr.size(); ++i) ptr[i] += ptr[i - 1];
}

void allocate_arcs(Graph& graph) {
  accumulate_lengths(graph.ptr);
  graph.targets.resize(graph.ptr.back());
  graph.weights.resize(graph.ptr.back());
}

/// Whether a walk may go from this member to the hyperedge, and back to it.
bool enters(const Hypergraph& h, Index e, Offset incidence) {
  return !h.is_directed(e) || h.role(e, incidence) == Role::tail;
}
bool leaves(const Hypergraph& h, Index e, Offset incidence) {
  return !h.is_directed(e) || h.role(e, incidence) == Role::head;
}

/// visit(incidence, hyperedge) for all incidences of v, ascending: its parts as tail and as head merged.
template <typename Visit>
void for_each_incidence(const Hypergraph& h, Index v, const Visit& visit) {
  const auto incidences = h.node_incidences();
  const Offset head = h.node_head_begin()[v];
  const Offset end = h.node_ptr()[v + 1];
  for (Offset t = h.node_ptr()[v], next_head = head; t < head || next_head < end;) {
    const bool is_tail = next_head == end || (t < head && incidences[t] < incidences[next_head]);
    const Offset i = is_tail ? t++ : next_head++;
    visit(incidences[i], h.node_edges()[i]);
  }
}

void write_star_arcs_of_node(const Hypergraph& h, Index v, Graph& graph) {
  Offset out = graph.ptr[v];
  for_each_incidence(h, v, [&](Offset incidence, Index e) {
    if (!enters(h, e, incidence)) return;
    graph.targets[out] = h.node_count() + e;
    graph.weights[out++] = h.weight(e) * h.incidence_weight(incidence);
  });
}

void write_star_arcs_of_edge(const Hypergraph& h, Index e, Graph& graph) {
  Offset out = graph.ptr[h.node_count() + e];
  for (Offset i = h.edge_ptr()[e]; i < h.edge_ptr()[e + 1]; ++i) {
    if (!leaves(h, e, i)) continue;
    graph.targets[out] = h.member_nodes()[i];
    graph.weights[out++] = h.weight(e) * h.incidence_weight(i);
  }
}

/// Ascending: the hyperedge's incidences stand where the node's own incidence is.
void write_line_arcs(const Hypergraph& h, Index e, Offset incidence, Graph& graph) {
  Offset out = graph.ptr[incidence];
  const auto write = [&](Offset target, double weight) {
    graph.targets[out] = static_cast<Index>(target);
    graph.weights[out++] = weight;
  };
  for_each_incidence(h, h.member_nodes()[incidence], [&](Offset other, Index) {
    if (other != incidence) return write(other, 1.0);
    for (Offset i = h.edge_ptr()[e]; i < h.edge_ptr()[e + 1]; ++i) {
      if (i != incidence) write(i, h.weight(e));
    }
  });
}

}  // namespace

Graph clique_expansion(const Hypergraph& hypergraph) {
  const Hypergraph& h = hypergraph;
  Graph graph;
  graph.ptr.assign(static_cast<std::size_t>(h.node_count()) + 1, 0);
  for_each_neighbourhood(h, [&](Index v, const std::vector<Index>& neighbours) {
    graph.ptr[v + 1] = static_cast<Offset>(neighbours.size());
  });
  allocate_arcs(graph);
  // Finding the neighbours again is cheaper than keeping a second copy of all lists in memory.
  for_each_neighbourhood(h, [&](Index v, std::vector<Index>& neighbours) {
    std::sort(neighbours.begin(), neighbours.end());
    const auto begin = graph.targets.begin() + graph.ptr[v];
    const auto end = std::copy(neighbours.begin(), neighbours.end(), begin);
    for (Offset own = h.node_ptr()[v]; own < h.node_ptr()[v + 1]; ++own) {
      const Index e = h.node_edges()[own];
      const double weight = h.weight(e) * h.incidence_weight(h.node_incidences()[own]);
      for (Offset i = h.edge_ptr()[e]; i < h.edge_ptr()[e + 1]; ++i) {
        const Index u = h.member_nodes()[i];
        if (u == v) continue;
        graph.weights[std::lower_bound(begin, end, u) - graph.targets.begin()] +=
            weight * h.incidence_weight(i);
      }
    }
  });
  return graph;
}

Graph star_expansion(const Hypergraph& hypergraph) {
  const Hypergraph& h = hypergraph;
  const Offset total = Offset{h.node_count()} + h.edge_count();
  if (total > std::numeric_limits<Index>::max()) {
    throw UsageError(fmt::format("the star expansion would have {} nodes; ids are 32-bit", total));
  }
  Graph graph;
  graph.ptr.assign(total + 1, 0);
  for (Index e = 0; e < h.edge_count(); ++e) {
    for (Offset i = h.edge_ptr()[e]; i < h.edge_ptr()[e + 1]; ++i) {
      if (enters(h, e, i)) ++graph.ptr[h.member_nodes()[i] + 1];
      if (leaves(h, e, i)) ++graph.ptr[h.node_count() + e + 1];
    }
  }
  allocate_arcs(graph);
  parallel_rows(h.node_ptr(), kGrain, [&](Offset first, Offset last) {
    for (Offset v = first; v < last; ++v) write_star_arcs_of_node(h, static_cast<Index>(v), graph);
  });
  parallel_rows(h.edge_ptr(), kGrain, [&](Offset first, Offset last) {
    for (Offset e = first; e < last; ++e) write_star_arcs_of_edge(h, static_cast<Index>(e), graph);
  });
  return graph;
}

Graph line_expansion(const Hypergraph& hypergraph) {
  const Hypergraph& h = hypergraph;
  if (h.incidence_count() > std::numeric_limits<Index>::max()) {
    throw UsageError(
        fmt::format("the line expansion would have {} nodes; ids are 32-bit", h.incidence_count()));
  }
  Graph graph;
  graph.ptr.assign(h.incidence_count() + 1, 0);
  for (Index e = 0; e < h.edge_count(); ++e) {
    for (Offset i = h.edge_ptr()[e]; i < h.edge_ptr()[e + 1]; ++i) {
      graph.ptr[i + 1] = h.size(e) - 1 + h.degree(h.member_nodes()[i]) - 1;
    }
  }
  allocate_arcs(graph);
  parallel_rows(h.edge_ptr(), kGrain, [&](Offset first, Offset last) {
    for (Offset e = first; e < last; ++e) {
      for (Offset i = h.edge_ptr()[e]; i < h.edge_ptr()[e + 1]; ++i) {
        write_line_arcs(h, static_cast<Index>(e), i, graph);
      }
    }
  });
  return graph;
}

}  // namespace dshn
