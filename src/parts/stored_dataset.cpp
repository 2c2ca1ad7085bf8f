#include "parts/stored_dataset.hpp"

#include "dshn/data/stored_dataset.hpp"

namespace dshn::parts {

data::Dataset dataset_from(io::StoredArrays& arrays, const Plan& plan) {
  data::Dataset dataset = data::dataset_from(arrays);
  arrays.finish();
  const Hypergraph& h = dataset.hypergraph;
  arrays.require(h.member_nodes().size() == plan.incidences.size(), "members",
                 "has another number of entries than the plan");
  arrays.require(static_cast<std::size_t>(h.edge_count()) == plan.edges.size(), "edge_begin",
                 "does not have a beginning for each hyperedge of the plan");
  arrays.require(static_cast<std::size_t>(h.node_count()) == plan.nodes.size(), "node_begin",
                 "does not have a beginning for each node of the plan");
  for (Index e = 0; e < h.edge_count(); ++e) {
    const Offset size = plan.sizes[static_cast<std::size_t>(e)];
    arrays.require(e < plan.shared ? h.size(e) <= size : h.size(e) == size, "edge_begin",
                   "has other members of a hyperedge than the plan");
  }
  return dataset;
}

}  // namespace dshn::parts
