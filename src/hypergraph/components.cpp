#include "dshn/hypergraph/components.hpp"

#include <numeric>
#include <span>
#include <utility>

namespace dshn {
namespace {

/// Disjoint sets of nodes; the root of a set is its smallest node.
class DisjointSets {
 public:
  explicit DisjointSets(Index count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0); }

  Index root(Index v) {
    while (parent_[v] != v) v = parent_[v] = parent_[parent_[v]];
    return v;
  }

  void join(std::span<const Index> members) {
    for (std::size_t i = 1; i < members.size(); ++i) {
      Index a = root(members[i - 1]);
      Index b = root(members[i]);
      if (a > b) std::swap(a, b);
      parent_[b] = a;
    }
  }

 private:
  std::vector<Index> parent_;
};

Components number_components(DisjointSets& sets, Index node_count) {
  Components result;
  result.of_node.resize(node_count);
  for (Index v = 0; v < node_count; ++v) {
    const Index root = sets.root(v);
    if (root == v) {
      result.of_node[v] = result.count();
      result.sizes.push_back(0);
    } else {
      result.of_node[v] = result.of_node[root];  // the root is smaller, so it has its number already
    }
    ++result.sizes[result.of_node[v]];
  }
  return result;
}

}  // namespace

Components connected_components(const Hypergraph& hypergraph) {
  DisjointSets sets(hypergraph.node_count());
  for (Index e = 0; e < hypergraph.edge_count(); ++e) sets.join(hypergraph.members(e));
  return number_components(sets, hypergraph.node_count());
}

Components role_components(const Hypergraph& hypergraph) {
  DisjointSets sets(hypergraph.node_count());
  for (Index e = 0; e < hypergraph.edge_count(); ++e) {
    sets.join(hypergraph.tail(e));
    sets.join(hypergraph.head(e));
  }
  return number_components(sets, hypergraph.node_count());
}

}  // namespace dshn
