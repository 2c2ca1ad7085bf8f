#include "dshn/parts/cut.hpp"

#include <algorithm>
#include <utility>

#include "parts/plans.hpp"
#include "parts/rows.hpp"

namespace dshn::parts {
namespace {

Hypergraph local_hypergraph(const Hypergraph& h, const Plan& plan, const std::vector<Index>& local_node) {
  std::vector<Index> edge;
  std::vector<Index> node;
  std::vector<Role> role;
  std::vector<double> weight;
  Index here = 0;
  for (const Offset i : plan.incidences) {
    while (i < h.edge_ptr()[plan.edges[static_cast<std::size_t>(here)]] ||
           i >= h.edge_ptr()[plan.edges[static_cast<std::size_t>(here)] + 1])
      ++here;
    edge.push_back(here);
    node.push_back(local_node[static_cast<std::size_t>(h.member_nodes()[i])]);
    role.push_back(h.role(plan.edges[static_cast<std::size_t>(here)], i));
    if (h.has_incidence_weights()) weight.push_back(h.incidence_weight(i));
  }
  HypergraphExtras extras{{}, h.node_names().subset(plan.nodes), h.edge_names().subset(plan.edges)};
  if (h.weighted()) {
    for (const Index e : plan.edges) extras.edge_weights.push_back(h.weight(e));
  }
  return {static_cast<Index>(plan.nodes.size()),
          static_cast<Index>(plan.edges.size()),
          {edge, node, role, weight},
          OnConflict::error,
          std::move(extras)};
}

data::Dataset local_dataset(const data::Dataset& whole, const Plan& plan, const Plans& plans) {
  data::Dataset part;
  part.name = whole.name;
  part.hypergraph = local_hypergraph(whole.hypergraph, plan, plans.local_node);
  part.task = whole.task;
  part.node_features = rows_of(whole.node_features, plan.nodes);
  part.edge_features = rows_of(whole.edge_features, plan.edges);
  part.node_feature_names = whole.node_feature_names;
  part.edge_feature_names = whole.edge_feature_names;
  part.code = whole.code;
  const bool of_nodes = whole.task == data::Task::node_classification;
  const std::vector<Index>& items = of_nodes ? plan.nodes : plan.edges;
  part.labels = elements_of(whole.labels, items);
  part.values = elements_of(whole.values, items, static_cast<std::size_t>(whole.class_count));
  part.class_count = whole.class_count;
  part.splits.resize(whole.splits.size());
  part.splits_from = whole.splits_from;
  part.times = elements_of(whole.times, items);
  part.generated = whole.generated;
  part.origin = whole.origin;
  part.format = whole.format;
  return part;
}

/// Deals out the items of one set of a split to the parts that count them.
void deal(const std::vector<Index>& items, std::size_t split, std::vector<Index> data::Split::*set,
          const std::vector<std::int32_t>& part_of_item, const std::vector<Index>& local,
          std::vector<Part>& parts) {
  for (const Index item : items) {
    const auto at = static_cast<std::size_t>(item);
    (parts[static_cast<std::size_t>(part_of_item[at])].dataset.splits[split].*set).push_back(local[at]);
  }
  // Hyperedges have another order in a part than in the whole.
  for (Part& part : parts) std::ranges::sort(part.dataset.splits[split].*set);
}

}  // namespace

std::vector<Part> cut(const data::Dataset& dataset, const Partition& partition) {
  Plans plans = make_plans(dataset.hypergraph, partition);
  std::vector<Part> parts(plans.of_part.size());
  for (std::size_t p = 0; p < parts.size(); ++p) {
    parts[p].dataset = local_dataset(dataset, plans.of_part[p], plans);
    parts[p].plan = std::move(plans.of_part[p]);
  }
  const bool of_nodes = dataset.task == data::Task::node_classification;
  const std::vector<std::int32_t>& part_of_item = of_nodes ? partition.part_of_node : plans.owner;
  const std::vector<Index>& local = of_nodes ? plans.local_node : plans.local_edge;
  for (std::size_t split = 0; split < dataset.splits.size(); ++split) {
    for (const auto set : {&data::Split::train, &data::Split::val, &data::Split::test})
      deal(dataset.splits[split].*set, split, set, part_of_item, local, parts);
  }
  return parts;
}

}  // namespace dshn::parts
