#include <torch/torch.h>

#include "dshn/models/model.hpp"

namespace dshn::models {

Input::Input(const Hypergraph& given, nn::FeatureRows node_x, at::Tensor hyperedge_x)
    : hypergraph(given),
      incidence(hypergraph),
      directed(hypergraph.has_directed_edges()),
      x(std::move(node_x)),
      edge_x(std::move(hyperedge_x)) {
  if (!hypergraph.weighted()) return;
  const auto weights = hypergraph.edge_weights();
  edge_weight = torch::tensor(std::vector<double>(weights.begin(), weights.end()), torch::kDouble);
}

Input Input::to(const at::Device& device, at::ScalarType type) const {
  Input moved = *this;
  moved.incidence = incidence.to(device);
  moved.x = x.to(device, type);
  if (edge_x.defined()) moved.edge_x = edge_x.to(device, type);
  if (map_factors.defined()) moved.map_factors = map_factors.to(device, type);
  if (edge_weight.has_value()) moved.edge_weight = edge_weight->to(device, type);
  for (auto& [name, tensor] : moved.derived) tensor = tensor.to(device, type);
  return moved;
}

}  // namespace dshn::models
