#include <string>

#include "dshn/base/error.hpp"
#include "dshn/io/stored_arrays.hpp"

namespace dshn::io {
namespace {

void put_names(ArrayViews& arrays, const std::string& name, const Names& names) {
  if (names.implicit()) return;
  const auto& [text, ptr, integer] = names.views();
  put(arrays, name, std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));
  put(arrays, name + "_begin", ptr);
  put(arrays, name + "_integer", integer);
}

}  // namespace

Names StoredArrays::take_names(const std::string& name) {
  if (!has(name)) return {};
  const Kept<std::uint8_t> text = view<std::uint8_t>(name);
  const Kept<std::int64_t> begin = view<std::int64_t>(name + "_begin");
  const Kept<std::uint8_t> integer = view<std::uint8_t>(name + "_integer");
  const std::string_view letters(reinterpret_cast<const char*>(text.values.data()), text.values.size());
  return {NameViews{letters, begin.values, integer.values}, text.owner};
}

void put_hypergraph(ArrayViews& arrays, const Hypergraph& h) {
  put(arrays, "edge_begin", h.edge_ptr());
  put(arrays, "head_begin", h.head_begin());
  put(arrays, "members", h.member_nodes());
  put(arrays, "node_begin", h.node_ptr());
  put(arrays, "node_head_begin", h.node_head_begin());
  put(arrays, "node_edges", h.node_edges());
  put(arrays, "node_incidences", h.node_incidences());
  if (h.weighted()) put(arrays, "edge_weights", h.edge_weights());
  if (h.has_incidence_weights()) put(arrays, "incidence_weights", h.incidence_weights());
  put_names(arrays, "node_names", h.node_names());
  put_names(arrays, "edge_names", h.edge_names());
}

Hypergraph StoredArrays::take_hypergraph() {
  const Kept<Offset> edge_begin = view<Offset>("edge_begin");
  HypergraphViews views{edge_begin.values,
                        view<Offset>("head_begin").values,
                        view<Index>("members").values,
                        view<Offset>("node_begin").values,
                        view<Offset>("node_head_begin").values,
                        view<Index>("node_edges").values,
                        view<Offset>("node_incidences").values,
                        {},
                        {}};
  if (has("edge_weights")) views.edge_weights = view<double>("edge_weights").values;
  if (has("incidence_weights")) views.incidence_weights = view<double>("incidence_weights").values;
  try {
    Names node_names = take_names("node_names");
    Names edge_names = take_names("edge_names");
    return {views, edge_begin.owner, std::move(node_names), std::move(edge_names)};
  } catch (const InvalidInput& error) {
    throw InvalidInput(where_ + ": " + error.what());
  }
}

}  // namespace dshn::io
