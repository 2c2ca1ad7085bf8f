#include "dshn/report/columns.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "dshn/base/random.hpp"
#include "report/json.hpp"

namespace dshn::report {
namespace {

using nlohmann::ordered_json;

/// Null where item i of the whole is named by the number i and all are there.
ordered_json name_column(const Names& names, const std::vector<Index>& items, Index all) {
  if (names.implicit() && static_cast<Index>(items.size()) == all) return nullptr;
  ordered_json column = ordered_json::array();
  for (const Index item : items) column.push_back(names[item].text);
  return column;
}

template <typename T>
ordered_json column_of(const std::vector<T>& values, const std::vector<Index>& items) {
  ordered_json column = ordered_json::array();
  for (const Index item : items) column.push_back(values[item]);
  return column;
}

std::vector<Index> numbers_below(Index count) {
  std::vector<Index> all(count);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

std::vector<Index> sampled_edges(const Hypergraph& hypergraph, Offset most, std::uint64_t seed) {
  std::vector<Index> edges = numbers_below(hypergraph.edge_count());
  if (hypergraph.incidence_count() <= most) return edges;
  Random(seed).shuffle(edges);
  Offset held = 0;
  std::erase_if(edges, [&](Index e) {
    if (held + hypergraph.size(e) > most) return true;
    held += hypergraph.size(e);
    return false;
  });
  std::sort(edges.begin(), edges.end());
  return edges;
}

}  // namespace

ordered_json short_numbers(const std::vector<double>& values) {
  ordered_json list = ordered_json::array();
  for (const double value : values) list.push_back(short_number(value));
  return list;
}

Excerpt choose_excerpt(const Hypergraph& hypergraph, Offset most, std::uint64_t seed) {
  Excerpt excerpt;
  excerpt.edges = sampled_edges(hypergraph, most, seed);
  const bool whole = static_cast<Index>(excerpt.edges.size()) == hypergraph.edge_count() &&
                     static_cast<Offset>(hypergraph.node_count()) <= most;
  if (whole) {
    excerpt.nodes = numbers_below(hypergraph.node_count());
    return excerpt;
  }
  std::vector<bool> used(hypergraph.node_count());
  for (const Index e : excerpt.edges)
    for (const Index v : hypergraph.members(e)) used[v] = true;
  for (Index v = 0; v < hypergraph.node_count(); ++v)
    if (used[v]) excerpt.nodes.push_back(v);
  return excerpt;
}

ordered_json hypergraph_columns(const data::Dataset& dataset, const Excerpt& excerpt) {
  const Hypergraph& h = dataset.hypergraph;
  std::vector<Index> place(h.node_count(), -1);
  for (std::size_t i = 0; i < excerpt.nodes.size(); ++i) place[excerpt.nodes[i]] = static_cast<Index>(i);
  ordered_json sizes = ordered_json::array();
  ordered_json tails = ordered_json::array();
  ordered_json members = ordered_json::array();
  for (const Index e : excerpt.edges) {
    sizes.push_back(h.size(e));
    tails.push_back(h.tail(e).size());
    for (const Index v : h.members(e)) members.push_back(place[v]);
  }
  const bool nodes = dataset.task == data::Task::node_classification;
  return {
      {"n_nodes", h.node_count()},
      {"n_hyperedges", h.edge_count()},
      {"n_incidences", h.incidence_count()},
      {"target", nodes ? "node" : "hyperedge"},
      {"class_names",
       dataset.code.class_names.empty() ? ordered_json(nullptr) : ordered_json(dataset.code.class_names)},
      {"node_names", name_column(h.node_names(), excerpt.nodes, h.node_count())},
      {"edge_names", name_column(h.edge_names(), excerpt.edges, h.edge_count())},
      {"sizes", sizes},
      {"tails", tails},
      {"members", members},
      {"labels", dataset.labels.empty() ? ordered_json(nullptr)
                                        : column_of(dataset.labels, nodes ? excerpt.nodes : excerpt.edges)}};
}

ordered_json prediction_columns(const Predictions& predictions, const std::vector<Index>& items) {
  ordered_json confidence = ordered_json::array();
  for (const Index item : items) confidence.push_back(std::lround(predictions.confidence[item] * 100));
  return {{"predicted", column_of(predictions.predicted, items)}, {"percent", confidence}};
}

ordered_json point_columns(const Predictions& predictions, const std::vector<double>& xy, Index most,
                           std::uint64_t seed) {
  const auto all = static_cast<Index>(predictions.id.size());
  const std::vector<Index> items = all <= most ? numbers_below(all) : Random(seed).sample(all, most);
  ordered_json x = ordered_json::array();
  ordered_json y = ordered_json::array();
  for (const Index item : items) {
    x.push_back(short_number(xy[2 * static_cast<std::size_t>(item)]));
    y.push_back(short_number(xy[2 * static_cast<std::size_t>(item) + 1]));
  }
  return {{"of", all},
          {"x", x},
          {"y", y},
          {"id", column_of(predictions.id, items)},
          {"label", column_of(predictions.label, items)},
          {"predicted", column_of(predictions.predicted, items)},
          {"part", column_of(predictions.part, items)}};
}

}  // namespace dshn::report
