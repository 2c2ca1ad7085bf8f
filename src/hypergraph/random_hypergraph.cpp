#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "dshn/base/error.hpp"
#include "dshn/base/parallel.hpp"
#include "dshn/base/random.hpp"
#include "dshn/hypergraph/generators.hpp"
#include "hypergraph/member_sampler.hpp"
#include "hypergraph/size_table.hpp"

namespace dshn {
namespace {

/// Hyperedges that share one stream of random numbers. Fixed, so that the result does not depend on the
/// threads.
constexpr Offset kBlock = 2048;

void check_share(double value, const char* what) {
  if (!(value >= 0 && value <= 1)) {
    throw UsageError(fmt::format("{} {}; expected a number from 0 to 1", what, value));
  }
}

void check(const RandomOptions& o) {
  if (o.nodes < 1 || o.hyperedges < 0) {
    throw UsageError(
        fmt::format("{} nodes and {} hyperedges; expected at least one node and no negative number", o.nodes,
                    o.hyperedges));
  }
  if (o.max_size < 0 || o.max_size > o.nodes) {
    throw UsageError(
        fmt::format("greatest size {}; expected from 1 to {}, the number of nodes, or 0 for the default",
                    o.max_size, o.nodes));
  }
  if (!(o.degree_exponent > 2 && std::isfinite(o.degree_exponent))) {
    throw UsageError(fmt::format("degree exponent {}; expected a number above 2", o.degree_exponent));
  }
  check_share(o.directed_share, "share of directed hyperedges");
  check_share(o.tail_share, "share of tails");
}

/// Calls body(random, first, last) on blocks of hyperedges, each with its own stream.
template <typename Body>
void for_each_block(const RandomOptions& options, std::uint64_t purpose, const Body& body) {
  const Random root = Random(options.seed).fork(purpose);
  const Offset blocks = (options.hyperedges + kBlock - 1) / kBlock;
  parallel_for(blocks, 1, [&](Offset first, Offset last) {
    for (Offset b = first; b < last; ++b) {
      Random random = root.fork(b);
      body(random, b * kBlock, std::min<Offset>((b + 1) * kBlock, options.hyperedges));
    }
  });
}

std::vector<Offset> draw_sizes(const RandomOptions& o) {
  constexpr Index kDefaultMaxSize = 10000;
  const SizeTable table(o.size_law, o.mean_size,
                        o.max_size > 0 ? o.max_size : std::min(o.nodes, kDefaultMaxSize));
  std::vector<Offset> ptr(static_cast<std::size_t>(o.hyperedges) + 1, 0);
  for_each_block(o, 0, [&](Random& random, Offset first, Offset last) {
    for (Offset e = first; e < last; ++e) ptr[e + 1] = table.draw(random);
  });
  std::partial_sum(ptr.begin(), ptr.end(), ptr.begin());
  return ptr;
}

/// Which node has which rank of the power law: heavy nodes must not be neighbours in memory.
std::vector<Index> draw_node_order(const RandomOptions& o) {
  std::vector<Index> order(o.nodes);
  std::iota(order.begin(), order.end(), 0);
  if (o.degree_law != DegreeLaw::uniform) Random(o.seed).fork(2).shuffle(order);
  return order;
}

/// How many of the members are tails.
Offset draw_tail_count(const RandomOptions& o, Offset size, Random& random) {
  const bool directed = random.uniform() < o.directed_share && size >= 2;
  if (!directed) return size;
  return std::clamp<Offset>(std::llround(o.tail_share * static_cast<double>(size)), 1, size - 1);
}

}  // namespace

Hypergraph random_hypergraph(const RandomOptions& options) {
  check(options);
  const std::vector<Offset> ptr = draw_sizes(options);
  const std::vector<Index> node_order = draw_node_order(options);
  const MemberSampler sampler(options.nodes, options.degree_law, options.degree_exponent);

  std::vector<Index> edge(ptr.back());
  std::vector<Index> node(ptr.back());
  std::vector<Role> role(ptr.back());
  for_each_block(options, 1, [&](Random& random, Offset first, Offset last) {
    for (Offset e = first; e < last; ++e) {
      const Offset size = ptr[e + 1] - ptr[e];
      const auto members = std::span(node).subspan(ptr[e], size);
      sampler.draw(random, members);
      for (Index& v : members) v = node_order[v];
      std::fill_n(edge.begin() + ptr[e], size, static_cast<Index>(e));
      const Offset tails = draw_tail_count(options, size, random);
      std::fill_n(role.begin() + ptr[e], tails, Role::tail);
      std::fill_n(role.begin() + ptr[e] + tails, size - tails, Role::head);
    }
  });
  return {options.nodes, options.hyperedges, {edge, node, role}};
}

std::vector<std::int64_t> random_labels(Index nodes, Index classes, std::uint64_t seed) {
  Random random = Random(seed).fork(1);
  std::vector<std::int64_t> labels(nodes);
  for (std::int64_t& label : labels) label = static_cast<std::int64_t>(random.below(classes));
  return labels;
}

std::vector<float> random_features(Index nodes, Index columns, std::uint64_t seed) {
  Random random = Random(seed).fork(2);
  std::vector<float> features(static_cast<std::size_t>(nodes) * static_cast<std::size_t>(columns));
  for (float& feature : features) feature = static_cast<float>(random.normal());
  return features;
}

}  // namespace dshn
