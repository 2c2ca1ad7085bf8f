#include <charconv>
#include <string>

#include "dshn/base/error.hpp"
#include "parts/stored_dataset.hpp"

namespace dshn::parts {
namespace {

void put_names(io::Arrays& arrays, const std::string& name, const Names& names) {
  if (names.implicit()) return;
  std::vector<std::string> texts;
  std::vector<std::uint8_t> integers;
  for (std::int64_t i = 0; i < names.size(); ++i) {
    texts.emplace_back(names.text(i));
    integers.push_back(names.is_integer(i) ? 1 : 0);
  }
  put_texts(arrays, name, texts);
  put(arrays, name + "_integer", integers);
}

bool is_integer(const std::string& text) {
  std::int64_t value = 0;
  const char* const end = text.data() + text.size();
  return std::from_chars(text.data(), end, value) == std::from_chars_result{end, std::errc{}} &&
         std::to_string(value) == text;
}

Names take_names(StoredArrays& arrays, const std::string& name, std::size_t count) {
  if (!arrays.has(name)) return {};
  std::vector<std::string> texts = arrays.take_texts(name);
  arrays.require(texts.size() == count, name, "does not have a name for each item");
  const std::vector<std::uint8_t> integers = arrays.take_flags(name + "_integer", count);
  std::vector<Name> names;
  names.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const bool integer = integers[i] != 0;
    arrays.require(!integer || is_integer(texts[i]), name, "has an integer that is none");
    names.push_back({std::move(texts[i]), integer});
  }
  return Names(names);
}

}  // namespace

void put_hypergraph(io::Arrays& arrays, const Hypergraph& h) {
  put(arrays, "edge_begin", h.edge_ptr());
  put(arrays, "head_begin", h.head_begin());
  put(arrays, "members", h.member_nodes());
  if (h.weighted()) put(arrays, "edge_weights", h.edge_weights());
  if (h.has_incidence_weights()) put(arrays, "incidence_weights", h.incidence_weights());
  put_names(arrays, "node_names", h.node_names());
  put_names(arrays, "edge_names", h.edge_names());
}

Hypergraph take_hypergraph(StoredArrays& arrays, const Plan& plan) {
  const std::size_t edges = plan.edges.size();
  const std::vector<Index> node = arrays.take<Index>("members", plan.incidences.size());
  const std::vector<Offset> begin = arrays.take_begins("edge_begin", node.size());
  arrays.require(begin.size() == edges + 1, "edge_begin", "does not have a beginning for each hyperedge");
  const std::vector<Offset> head = arrays.take<Offset>("head_begin", edges);

  std::vector<Index> edge(node.size());
  std::vector<Role> role(node.size());
  for (std::size_t e = 0; e < edges; ++e) {
    const Offset size = begin[e + 1] - begin[e];
    arrays.require(begin[e] <= head[e] && head[e] <= begin[e + 1], "head_begin",
                   "has a hyperedge whose heads are not among its members");
    const bool shared = static_cast<Index>(e) < plan.shared;
    arrays.require(shared ? size <= plan.sizes[e] : size == plan.sizes[e], "edge_begin",
                   "has other members of a hyperedge than the plan");
    for (Offset i = begin[e]; i < begin[e + 1]; ++i) {
      edge[static_cast<std::size_t>(i)] = static_cast<Index>(e);
      role[static_cast<std::size_t>(i)] = i < head[e] ? Role::tail : Role::head;
    }
  }
  std::vector<double> weight;
  if (arrays.has("incidence_weights")) weight = arrays.take<double>("incidence_weights", node.size());
  HypergraphExtras extras;
  if (arrays.has("edge_weights")) extras.edge_weights = arrays.take<double>("edge_weights", edges);
  extras.node_names = take_names(arrays, "node_names", plan.nodes.size());
  extras.edge_names = take_names(arrays, "edge_names", edges);
  try {
    return {static_cast<Index>(plan.nodes.size()),
            static_cast<Index>(edges),
            {edge, node, role, weight},
            OnConflict::error,
            std::move(extras)};
  } catch (const InvalidInput& error) {
    throw InvalidInput(arrays.where() + ": " + error.what());
  }
}

}  // namespace dshn::parts
