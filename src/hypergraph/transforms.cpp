#include "dshn/hypergraph/transforms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "dshn/base/error.hpp"
#include "dshn/base/parallel_rows.hpp"
#include "hypergraph/ids.hpp"

namespace dshn {
namespace {

/// The incidences of a hypergraph as arrays that a transform may edit before it builds the next hypergraph.
struct IncidenceList {
  std::vector<Index> edge, node;
  std::vector<Role> role;
  std::vector<double> weight;  // empty where all are 1
  bool weighted = false;

  IncidenceArrays arrays() const { return {edge, node, role, weight}; }
  void add(Index e, Index v, Role r, double w = 1) {
    edge.push_back(e);
    node.push_back(v);
    role.push_back(r);
    if (weighted) weight.push_back(w);
  }
};

IncidenceList incidences_of(const Hypergraph& h) {
  const auto nodes = h.member_nodes();
  const auto weights = h.incidence_weights();
  IncidenceList list{std::vector<Index>(nodes.size()),
                     {nodes.begin(), nodes.end()},
                     std::vector<Role>(nodes.size()),
                     {weights.begin(), weights.end()},
                     h.has_incidence_weights()};
  parallel_rows(h.edge_ptr(), kGrain, [&](Offset first, Offset last) {
    for (Offset e = first; e < last; ++e) {
      for (Offset i = h.edge_ptr()[e]; i < h.edge_ptr()[e + 1]; ++i) {
        list.edge[i] = static_cast<Index>(e);
        list.role[i] = h.role(static_cast<Index>(e), i);
      }
    }
  });
  return list;
}

HypergraphExtras extras_of(const Hypergraph& h) {
  const auto weights = h.edge_weights();
  return {{weights.begin(), weights.end()}, h.node_names(), h.edge_names()};
}

std::vector<double> weights_of(const Hypergraph& h, const std::vector<Index>& edges) {
  std::vector<double> weights;
  if (h.weighted()) {
    for (const Index e : edges) weights.push_back(h.weight(e));
  }
  return weights;
}

Hypergraph rebuilt(const Hypergraph& h, const IncidenceList& list) {
  return {h.node_count(), h.edge_count(), list.arrays(), OnConflict::error, extras_of(h)};
}

/// Whether each incidence is among the chosen ones.
std::vector<bool> chosen_incidences(const Hypergraph& h, std::span<const Offset> incidences) {
  std::vector<bool> chosen(h.incidence_count());
  for (const Offset i : incidences) {
    if (i < 0 || i >= h.incidence_count()) {
      throw UsageError(
          fmt::format("incidence {} is out of range; there are {} incidences", i, h.incidence_count()));
    }
    chosen[i] = true;
  }
  return chosen;
}

Role other(Role role) {
  return role == Role::tail ? Role::head : Role::tail;
}

/// All names, the new ones behind the others.
Names with_names(const Names& names, Index count, std::span<const Name> more) {
  if (more.empty()) return names;
  std::vector<Name> all;
  all.reserve(static_cast<std::size_t>(count) + more.size());
  for (Index i = 0; i < count; ++i) all.push_back(names[i]);
  all.insert(all.end(), more.begin(), more.end());
  return Names(all);
}

void check_arcs(Index node_count, const ArcColumns& arcs) {
  if (!arcs.weight.empty() && arcs.weight.size() != arcs.column0.size()) {
    throw InvalidInput(fmt::format("{} weights for {} arcs; give one each, or none", arcs.weight.size(),
                                   arcs.column0.size()));
  }
  if (arcs.column0.size() != arcs.column1.size()) {
    throw InvalidInput(fmt::format("arc columns differ in length: {} and {} node ids; give two per arc",
                                   arcs.column0.size(), arcs.column1.size()));
  }
  for (const auto column : {arcs.column0, arcs.column1}) {
    if (const Offset i = find_out_of_range(column, node_count); i != kNoOffset) {
      throw InvalidInput(fmt::format("arc {}: node id {} is out of range; {}", i, column[i],
                                     expected_range(node_count, "nodes")));
    }
  }
}

/// Names of self-loop hyperedges, distinct from those that exist.
void append_loop_names(const Hypergraph& h, std::span<const Index> looped, std::vector<Name>& names) {
  std::set<std::string> taken;
  for (const Name& name : names) taken.insert(name.text);
  for (const Index v : looped) {
    std::string text = "self-loop " + h.node_names()[v].text;
    while (!taken.insert(text).second) text += '+';
    names.push_back(Name::string(std::move(text)));
  }
}

std::vector<Name> list_names(const Names& names, Index count) {
  std::vector<Name> list;
  list.reserve(count);
  for (Index i = 0; i < count; ++i) list.push_back(names[i]);
  return list;
}

/// Members that survive in each hyperedge, tails and heads alike.
std::vector<Offset> surviving_sizes(const Hypergraph& h, const std::vector<Index>& new_node) {
  std::vector<Offset> sizes(h.edge_count());
  parallel_rows(h.edge_ptr(), kGrain, [&](Offset first, Offset last) {
    for (Offset e = first; e < last; ++e) {
      const auto members = h.members(static_cast<Index>(e));
      sizes[e] = std::count_if(members.begin(), members.end(), [&](Index v) { return new_node[v] >= 0; });
    }
  });
  return sizes;
}

bool survives(const Hypergraph& h, Index e, Offset left, KeepEdges keep) {
  switch (keep) {
    case KeepEdges::nonempty:
      return left > 0;
    case KeepEdges::whole:
      return left == h.size(e);
    case KeepEdges::all:
      break;
  }
  return true;
}

/// Of a hypergraph of arcs: the sum of the weights of each hyperedge's self-loops.
std::vector<double> loop_weights(const ArcColumns& arcs, std::span<const Index> from,
                                 std::span<const Index> to, const std::vector<Index>& edge_of,
                                 Index edge_count) {
  std::vector<double> weights(edge_count, 0.0);
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (from[i] == to[i]) weights[edge_of[from[i]]] += arcs.weight[i];
  }
  return weights;
}

/// Of a hypergraph of arcs, whose tails are single: each has the mean of its heads' weights, or the loops' weight
/// where there are no heads.
Hypergraph with_weighed_tails(const Hypergraph& h, const std::vector<double>& loops) {
  IncidenceList list = incidences_of(h);
  list.weight.resize(list.edge.size(), 1.0);
  for (Index e = 0; e < h.edge_count(); ++e) {
    double sum = 0;
    for (Offset i = h.head_begin()[e]; i < h.edge_ptr()[e + 1]; ++i) sum += list.weight[i];
    const auto heads = static_cast<double>(h.head(e).size());
    list.weight[h.edge_ptr()[e]] = heads > 0 ? sum / heads : loops[e];
  }
  return rebuilt(h, list);
}

/// Fills everything but the node maps, which tell what remains.
void restrict_to_nodes(const Hypergraph& h, KeepEdges keep, SubHypergraph& part) {
  const std::vector<Offset> sizes = surviving_sizes(h, part.new_node);
  part.new_edge.assign(h.edge_count(), -1);
  IncidenceList list;
  list.weighted = h.has_incidence_weights();
  for (Index e = 0; e < h.edge_count(); ++e) {
    if (!survives(h, e, sizes[e], keep)) continue;
    part.new_edge[e] = static_cast<Index>(part.edges.size());
    part.edges.push_back(e);
    for (Offset i = h.edge_ptr()[e]; i < h.edge_ptr()[e + 1]; ++i) {
      const Index v = part.new_node[h.member_nodes()[i]];
      if (v < 0) continue;
      list.add(part.new_edge[e], v, h.role(e, i), h.incidence_weight(i));
    }
  }
  HypergraphExtras extras{weights_of(h, part.edges), h.node_names().subset(part.nodes),
                          h.edge_names().subset(part.edges)};
  part.hypergraph = Hypergraph(static_cast<Index>(part.nodes.size()), static_cast<Index>(part.edges.size()),
                               list.arrays(), OnConflict::error, std::move(extras));
}

}  // namespace

Hypergraph from_directed_graph(Index node_count, const ArcColumns& arcs, Names node_names) {
  check_arcs(node_count, arcs);
  const auto from = arcs.column0_is_tail ? arcs.column0 : arcs.column1;
  const auto to = arcs.column0_is_tail ? arcs.column1 : arcs.column0;
  std::vector<Index> edge_of(node_count, -1);
  for (const Index v : from) edge_of[v] = 0;

  IncidenceList list;
  list.weighted = !arcs.weight.empty();
  Index edge_count = 0;
  for (Index v = 0; v < node_count; ++v) {
    if (edge_of[v] < 0) continue;
    edge_of[v] = edge_count++;
    list.add(edge_of[v], v, Role::tail);
  }
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (from[i] == to[i]) continue;
    list.add(edge_of[from[i]], to[i], Role::head, list.weighted ? arcs.weight[i] : 1);
  }
  // No member has two roles, so either rule does no more than merge repeated arcs.
  const Hypergraph merged(node_count, edge_count, list.arrays(), OnConflict::keep_tail,
                          {{}, std::move(node_names), {}});
  return list.weighted ? with_weighed_tails(merged, loop_weights(arcs, from, to, edge_of, edge_count))
                       : merged;
}

Hypergraph reversed(const Hypergraph& hypergraph) {
  IncidenceList list = incidences_of(hypergraph);
  for (std::size_t i = 0; i < list.role.size(); ++i) {
    if (!hypergraph.is_directed(list.edge[i])) continue;
    list.role[i] = other(list.role[i]);
  }
  return rebuilt(hypergraph, list);
}

Hypergraph without_direction(const Hypergraph& hypergraph) {
  IncidenceList list = incidences_of(hypergraph);
  list.role.clear();
  return rebuilt(hypergraph, list);
}

Hypergraph without_incidences(const Hypergraph& hypergraph, std::span<const Offset> incidences) {
  const std::vector<bool> gone = chosen_incidences(hypergraph, incidences);
  const IncidenceList all = incidences_of(hypergraph);
  IncidenceList left;
  left.weighted = all.weighted;
  for (std::size_t i = 0; i < gone.size(); ++i) {
    if (gone[i]) continue;
    left.add(all.edge[i], all.node[i], all.role[i], hypergraph.incidence_weight(static_cast<Offset>(i)));
  }
  return rebuilt(hypergraph, left);
}

Hypergraph turned_at(const Hypergraph& hypergraph, std::span<const Offset> incidences) {
  const std::vector<bool> turned = chosen_incidences(hypergraph, incidences);
  IncidenceList list = incidences_of(hypergraph);
  for (std::size_t i = 0; i < turned.size(); ++i) {
    if (turned[i]) list.role[i] = other(list.role[i]);
  }
  return rebuilt(hypergraph, list);
}

Hypergraph with_self_loops(const Hypergraph& hypergraph) {
  const Hypergraph& h = hypergraph;
  std::vector<Index> looped;
  for (Index v = 0; v < h.node_count(); ++v) {
    const auto edges = h.edges_of(v);
    if (std::none_of(edges.begin(), edges.end(), [&](Index e) { return h.size(e) == 1; }))
      looped.push_back(v);
  }
  return with_singletons(h, looped);
}

Hypergraph with_singletons(const Hypergraph& hypergraph, std::span<const Index> looped) {
  const Hypergraph& h = hypergraph;
  IncidenceList list = incidences_of(h);
  HypergraphExtras extras = extras_of(h);
  for (std::size_t i = 0; i < looped.size(); ++i)
    list.add(h.edge_count() + static_cast<Index>(i), looped[i], Role::tail);
  if (h.weighted()) extras.edge_weights.resize(extras.edge_weights.size() + looped.size(), 1.0);
  if (!h.edge_names().implicit()) {
    std::vector<Name> names = list_names(h.edge_names(), h.edge_count());
    append_loop_names(h, looped, names);
    extras.edge_names = Names(names);
  }
  const auto edge_count = h.edge_count() + static_cast<Index>(looped.size());
  return {h.node_count(), edge_count, list.arrays(), OnConflict::error, std::move(extras)};
}

Hypergraph with_items(const Hypergraph& hypergraph, std::span<const Name> nodes, std::span<const Name> edges,
                      std::vector<double> edge_weights) {
  HypergraphExtras extras = extras_of(hypergraph);
  extras.node_names = with_names(extras.node_names, hypergraph.node_count(), nodes);
  extras.edge_names = with_names(extras.edge_names, hypergraph.edge_count(), edges);
  if (!edge_weights.empty())
    extras.edge_weights = std::move(edge_weights);
  else if (hypergraph.weighted())
    extras.edge_weights.resize(extras.edge_weights.size() + edges.size(), 1.0);
  const IncidenceList list = incidences_of(hypergraph);
  return {hypergraph.node_count() + static_cast<Index>(nodes.size()),
          hypergraph.edge_count() + static_cast<Index>(edges.size()), list.arrays(), OnConflict::error,
          std::move(extras)};
}

Hypergraph permuted(const Hypergraph& hypergraph, std::span<const Index> node_order,
                    std::span<const Index> edge_order) {
  const Hypergraph& h = hypergraph;
  const std::vector<Index> new_node = inverse_permutation(node_order, h.node_count(), "nodes");
  const std::vector<Index> new_edge = inverse_permutation(edge_order, h.edge_count(), "hyperedges");
  IncidenceList list = incidences_of(h);
  for (Index& v : list.node) v = new_node[v];
  for (Index& e : list.edge) e = new_edge[e];
  const std::vector<Index> nodes(node_order.begin(), node_order.end());
  const std::vector<Index> edges(edge_order.begin(), edge_order.end());
  HypergraphExtras extras{weights_of(h, edges), h.node_names().subset(nodes), h.edge_names().subset(edges)};
  return {h.node_count(), h.edge_count(), list.arrays(), OnConflict::error, std::move(extras)};
}

SubHypergraph induced(const Hypergraph& hypergraph, std::span<const Index> nodes, KeepEdges keep) {
  SubHypergraph part;
  part.nodes.assign(nodes.begin(), nodes.end());
  part.new_node.assign(hypergraph.node_count(), -1);
  if (const Offset i = find_out_of_range(nodes, hypergraph.node_count()); i != kNoOffset) {
    throw UsageError(fmt::format("chosen node {}: id {} is out of range; {}", i, nodes[i],
                                 expected_range(hypergraph.node_count(), "nodes")));
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    Index& new_id = part.new_node[nodes[i]];
    if (new_id >= 0) {
      throw UsageError(fmt::format("node {} is chosen twice, at positions {} and {}; expected distinct nodes",
                                   hypergraph.node_names().quoted(nodes[i]), new_id, i));
    }
    new_id = static_cast<Index>(i);
  }
  restrict_to_nodes(hypergraph, keep, part);
  return part;
}

SubHypergraph without_isolated_nodes(const Hypergraph& hypergraph) {
  std::vector<Index> covered;
  for (Index v = 0; v < hypergraph.node_count(); ++v) {
    if (hypergraph.degree(v) > 0) covered.push_back(v);
  }
  return induced(hypergraph, covered, KeepEdges::all);
}

}  // namespace dshn
