#include "dshn/parts/divide.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "dshn/base/error.hpp"
#include "dshn/base/random.hpp"
#include "parts/metis.hpp"

namespace dshn::parts {
namespace {

constexpr std::array<std::string_view, 3> kNames = {"metis", "block", "random"};

/// Below so many nodes for each part METIS is not asked.
constexpr Index kLeastNodes = 4;
/// So much more imbalance is worth less traffic.
constexpr double kEven = 0.05;

/// Cuts a row of nodes into pieces of about as many incidences.
std::vector<std::int32_t> pieces(const Hypergraph& h, int parts, const std::vector<Index>& row) {
  const auto weight = [&](Index v) { return std::max<Offset>(h.degree(v), 1); };
  Offset total = 0;
  for (const Index v : row) total += weight(v);
  // total * part / parts, which alone might not fit.
  const auto begin = [&](int part) { return total / parts * part + total % parts * part / parts; };

  std::vector<std::int32_t> part_of_node(row.size());
  std::int32_t part = 0;
  Offset before = 0;
  for (const Index v : row) {
    const Offset middle = before + weight(v) / 2;
    while (part + 1 < parts && middle >= begin(part + 1)) ++part;
    part_of_node[static_cast<std::size_t>(v)] = part;
    before += weight(v);
  }
  return part_of_node;
}

std::vector<Index> all_nodes(const Hypergraph& h) {
  std::vector<Index> row(static_cast<std::size_t>(h.node_count()));
  std::iota(row.begin(), row.end(), 0);
  return row;
}

std::vector<std::int32_t> by_chance(const Hypergraph& h, int parts, std::uint64_t seed) {
  std::vector<Index> row = all_nodes(h);
  Random(seed).shuffle(row);
  return pieces(h, parts, row);
}

/// The one with least traffic of those that are about as even as any.
Partition best_of(const Hypergraph& h, std::vector<Partition> candidates) {
  std::vector<Cut> cuts;
  for (const Partition& candidate : candidates) cuts.push_back(measure(h, candidate));
  const double least = std::ranges::min(cuts, {}, &Cut::imbalance).imbalance;
  const auto cost = [&](const Cut& cut) { return std::pair(cut.imbalance > least + kEven, cut.traffic); };
  const auto best = std::ranges::min_element(cuts, {}, cost);
  return std::move(candidates[static_cast<std::size_t>(best - cuts.begin())]);
}

}  // namespace

Method method(std::string_view text) {
  const auto found = std::ranges::find(kNames, text);
  if (found == kNames.end()) {
    throw UsageError(
        fmt::format("unknown way to divide nodes \"{}\"; known are {}", text, fmt::join(kNames, ", ")));
  }
  return static_cast<Method>(found - kNames.begin());
}

std::string_view method_name(Method method) {
  return kNames[static_cast<std::size_t>(method)];
}

std::vector<std::string> method_names() {
  return {kNames.begin(), kNames.end()};
}

Method best_method() {
  return has_metis() ? Method::metis : Method::block;
}

Partition divide(const Hypergraph& hypergraph, int parts, Method method, std::uint64_t seed) {
  if (parts < 1) throw UsageError(fmt::format("{} parts of a hypergraph, expected 1 or more", parts));
  if (method == Method::random) return {parts, by_chance(hypergraph, parts, seed)};
  Partition block{parts, pieces(hypergraph, parts, all_nodes(hypergraph))};
  if (method == Method::block) return block;
  const bool choice = parts > 1 && hypergraph.node_count() / parts >= kLeastNodes;
  if (has_metis() && (!choice || hypergraph.incidence_count() == 0)) return block;
  std::vector<Partition> candidates;
  for (std::vector<std::int32_t>& part_of_node : divide_by_metis(hypergraph, parts, seed))
    candidates.push_back({parts, std::move(part_of_node)});
  candidates.push_back(std::move(block));
  return best_of(hypergraph, std::move(candidates));
}

}  // namespace dshn::parts
