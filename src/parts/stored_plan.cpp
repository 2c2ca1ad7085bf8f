#include "parts/stored_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>

namespace dshn::parts {
namespace {

constexpr std::int64_t kMostItems = std::numeric_limits<Index>::max();

template <typename T, typename Limit>
void require_range(const io::StoredArrays& arrays, const char* name, const std::vector<T>& values, T least,
                   Limit limit) {
  const auto outside = [&](T value) { return value < least || value >= limit; };
  const auto found = std::ranges::find_if(values, outside);
  if (found == values.end()) return;
  arrays.fail(name, fmt::format("has {} at {}, expected {} to {}", *found, found - values.begin(), least,
                                static_cast<std::int64_t>(limit) - 1));
}

bool ascends(std::span<const Index> values) {
  return std::ranges::adjacent_find(values, std::ranges::greater_equal()) == values.end();
}

void take_items(io::StoredArrays& arrays, Plan& plan) {
  plan.nodes = arrays.take<Index>("nodes");
  require_range(arrays, "nodes", plan.nodes, 0, plan.all_nodes);
  arrays.require(ascends(plan.nodes), "nodes", "does not ascend");
  plan.edges = arrays.take<Index>("edges");
  require_range(arrays, "edges", plan.edges, 0, plan.all_edges);
  plan.shared =
      static_cast<Index>(arrays.take_number("shared", 0, static_cast<std::int64_t>(plan.edges.size())));
  const std::span<const Index> edges = plan.edges;
  const auto shared = static_cast<std::size_t>(plan.shared);
  std::vector<Index> all;
  std::ranges::merge(edges.first(shared), edges.subspan(shared), std::back_inserter(all));
  arrays.require(ascends(edges.first(shared)) && ascends(edges.subspan(shared)) && ascends(all), "edges",
                 "is not two ascending rows without a common number");
  plan.incidences = arrays.take<Offset>("incidences");
  require_range(arrays, "incidences", plan.incidences, Offset{0}, plan.all_incidences);
  plan.sizes = arrays.take<Offset>("sizes", plan.edges.size());
  require_range(arrays, "sizes", plan.sizes, Offset{0}, Offset{plan.all_nodes} + 1);
  plan.edge_directed = arrays.take_flags("edge_directed", plan.edges.size());
  plan.owned = arrays.take_flags("owned", plan.edges.size());
  plan.loops = arrays.take<Index>("loops", plan.nodes.size());
  require_range(arrays, "loops", plan.loops, -1, plan.all_nodes);
}

/// Lists of shared hyperedges, one for each part and none for this one.
std::vector<std::vector<Index>> take_exchange(io::StoredArrays& arrays, const Plan& plan, const char* name) {
  std::vector<std::vector<Index>> lists = arrays.take_lists(name);
  arrays.require(lists.size() == static_cast<std::size_t>(plan.parts), name,
                 "does not have a list for each part");
  for (const std::vector<Index>& list : lists) {
    require_range(arrays, name, list, 0, plan.shared);
    arrays.require(ascends(list), name, "has a list that does not ascend");
  }
  arrays.require(lists[static_cast<std::size_t>(plan.part)].empty(), name, "has a list for the part itself");
  return lists;
}

void take_exchanges(io::StoredArrays& arrays, Plan& plan) {
  plan.to_owner = take_exchange(arrays, plan, "to_owner");
  plan.of_others = take_exchange(arrays, plan, "of_others");
  std::vector<int> owners(plan.owned.begin(), plan.owned.end());
  for (const std::vector<Index>& list : plan.to_owner)
    for (const Index e : list) ++owners[static_cast<std::size_t>(e)];
  arrays.require(std::ranges::all_of(owners, [](int count) { return count == 1; }), "to_owner",
                 "does not give every hyperedge that is not owned to one part");
  for (const std::vector<Index>& list : plan.of_others) {
    const auto mine = [&](Index e) { return plan.owned[static_cast<std::size_t>(e)] != 0; };
    arrays.require(std::ranges::all_of(list, mine), "of_others", "has a hyperedge that is not owned");
  }
}

}  // namespace

io::ArrayViews to_arrays(const Plan& plan) {
  io::ArrayViews arrays;
  const auto put_number = [&](const char* name, std::int64_t number) {
    io::put_kept(arrays, name, std::vector{number});
  };
  put_number("part", plan.part);
  put_number("parts", plan.parts);
  put_number("all_nodes", plan.all_nodes);
  put_number("all_edges", plan.all_edges);
  put_number("all_incidences", plan.all_incidences);
  put_number("directed", plan.directed ? 1 : 0);
  put_number("shared", plan.shared);
  io::put(arrays, "nodes", std::span<const Index>(plan.nodes));
  io::put(arrays, "edges", std::span<const Index>(plan.edges));
  io::put(arrays, "incidences", std::span<const Offset>(plan.incidences));
  io::put(arrays, "sizes", std::span<const Offset>(plan.sizes));
  io::put(arrays, "edge_directed", std::span<const std::uint8_t>(plan.edge_directed));
  io::put(arrays, "owned", std::span<const std::uint8_t>(plan.owned));
  io::put(arrays, "loops", std::span<const Index>(plan.loops));
  io::put_lists(arrays, "to_owner", plan.to_owner);
  io::put_lists(arrays, "of_others", plan.of_others);
  return arrays;
}

Plan plan_from(io::StoredArrays& arrays) {
  Plan plan;
  plan.parts = static_cast<int>(arrays.take_number("parts", 1, kMostItems));
  plan.part = static_cast<int>(arrays.take_number("part", 0, plan.parts - 1));
  plan.all_nodes = static_cast<Index>(arrays.take_number("all_nodes", 0, kMostItems));
  plan.all_edges = static_cast<Index>(arrays.take_number("all_edges", 0, kMostItems));
  plan.all_incidences = arrays.take_number("all_incidences", 0, std::numeric_limits<Offset>::max());
  plan.directed = arrays.take_flag("directed");
  take_items(arrays, plan);
  take_exchanges(arrays, plan);
  arrays.finish();
  return plan;
}

}  // namespace dshn::parts
