#include <fmt/format.h>
#include <torch/torch.h>

#include "dshn/base/error.hpp"
#include "dshn/models/model.hpp"
#include "dshn/ops/multiplicity.hpp"

namespace dshn::models {
namespace {

/// Absent where there are none.
ops::OptionalTensor tensor_of(std::span<const double> weights) {
  if (weights.empty()) return {};
  return torch::tensor(std::vector<double>(weights.begin(), weights.end()), torch::kDouble);
}

/// Weights that some part has, all have: each takes the same way through a model.
void agree(ops::OptionalTensor& weights, std::int64_t count, const ops::Exchange& exchange) {
  const at::Tensor have = at::full({1}, weights.has_value() ? 1 : 0, at::kLong);
  exchange.sum_of_parts(have);
  if (have.item<std::int64_t>() > 0 && !weights.has_value()) weights = at::ones({count}, at::kDouble);
}

void move(ops::OptionalTensor& tensor, const at::Device& device, at::ScalarType type) {
  if (tensor.has_value()) tensor = tensor->to(device, type);
}

}  // namespace

Input::Input(const Hypergraph& given, nn::FeatureRows node_x, at::Tensor hyperedge_x)
    : hypergraph(given),
      incidence(hypergraph),
      directed(hypergraph.has_directed_edges()),
      edge_weight(tensor_of(hypergraph.edge_weights())),
      multiplicity(tensor_of(hypergraph.incidence_weights())),
      repeated_weight(ops::repeated_weight(edge_weight, multiplicity, incidence)),
      x(std::move(node_x)),
      edge_x(std::move(hyperedge_x)),
      given_edges(hypergraph.edge_count()) {}

Input Input::to(const at::Device& device, at::ScalarType type) const {
  Input moved = *this;
  moved.incidence = incidence.to(device);
  moved.x = x.to(device, type);
  if (edge_x.defined()) moved.edge_x = edge_x.to(device, type);
  if (map_factors.defined()) moved.map_factors = map_factors.to(device, type);
  move(moved.edge_weight, device, type);
  move(moved.multiplicity, device, type);
  move(moved.node_multiplicity, device, type);
  move(moved.repeated_weight, device, type);
  for (auto& [name, tensor] : moved.derived) tensor = tensor.to(device, type);
  return moved;
}

Input Input::as_part(const std::shared_ptr<const ops::Exchange>& exchange) const {
  Input part = *this;
  part.incidence = incidence.as_part(exchange);
  part.directed = exchange->whole().directed;
  agree(part.edge_weight, incidence.edges(), *exchange);
  agree(part.multiplicity, incidence.incidences(), *exchange);
  part.repeated_weight = ops::repeated_weight(part.edge_weight, part.multiplicity, part.incidence);
  return part;
}

void refuse_incidence_weights(const Hypergraph& hypergraph, const std::string& who) {
  for (Index e = 0; hypergraph.has_incidence_weights() && e < hypergraph.edge_count(); ++e) {
    for (Offset i = hypergraph.edge_ptr()[e]; i < hypergraph.edge_ptr()[e + 1]; ++i) {
      if (hypergraph.incidence_weight(i) == 1.0) continue;
      throw UsageError(fmt::format("{} does not know weights of incidences; node {} has {} in hyperedge {}",
                                   who, hypergraph.node_names().quoted(hypergraph.member_nodes()[i]),
                                   hypergraph.incidence_weight(i), hypergraph.edge_names().quoted(e)),
                       Topic{"incidence-weights"});
    }
  }
}

}  // namespace dshn::models
