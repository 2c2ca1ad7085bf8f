#include "models/tail_head_walk.hpp"

#include <torch/torch.h>

#include <cmath>

#include "models/message_passing.hpp"

namespace dshn::models {
namespace {

constexpr double kStationaryTolerance = 1e-13;

/// The weight of incidences of tails (or heads) in directed hyperedges, and of all of undirected ones, [nnz].
at::Tensor side(const Input& input, Role role) {
  const Hypergraph& hypergraph = input.hypergraph;
  const ops::Exchange* exchange = input.incidence.exchange();
  const bool* const in_whole = exchange ? exchange->whole().edge_directed.data_ptr<bool>() : nullptr;
  at::Tensor result = at::zeros({hypergraph.incidence_count()}, at::kDouble);
  auto* values = result.data_ptr<double>();
  for (Index e = 0; e < hypergraph.edge_count(); ++e) {
    const bool directed = in_whole != nullptr ? in_whole[e] : hypergraph.is_directed(e);
    for (Offset i = hypergraph.edge_ptr()[e]; i < hypergraph.edge_ptr()[e + 1]; ++i)
      values[i] = !directed || hypergraph.role(e, i) == role ? hypergraph.incidence_weight(i) : 0;
  }
  return result;
}

/// Values of incidences divided by their sums over each hyperedge or node.
at::Tensor shares(const at::Tensor& values, ops::Over over, const ops::Incidence& incidence) {
  const at::Tensor sums = ops::segment_sum(values, over, incidence);
  return values * ops::expand(power_or_zero(sums, -1), over, incidence);
}

/// Values of incidences times a factor per node.
at::Tensor times_nodes(const at::Tensor& values, const at::Tensor& factors, const ops::Incidence& incidence) {
  return values * ops::expand(factors, ops::Over::nodes, incidence);
}

}  // namespace

at::Tensor SymmetricWalk::apply(const at::Tensor& rows, const ops::Incidence& incidence) const {
  const auto through = [&](const at::Tensor& out, const at::Tensor& in) {
    return ops::gather_sum(ops::gather_sum(rows, in, ops::Over::edges, incidence), out, ops::Over::nodes,
                           incidence);
  };
  return through(leave, enter) + through(enter, leave);
}

TailHeadWalk::TailHeadWalk(const Input& input)
    : incidence_(input.incidence), nodes_(static_cast<double>(all_nodes(input))) {
  const at::Device device = input.x.device();
  at::Tensor tails = side(input, Role::tail).to(device);
  if (input.edge_weight.has_value())
    tails = tails * ops::expand(input.edge_weight->to(at::kDouble), ops::Over::edges, incidence_);
  leave_ = shares(tails, ops::Over::nodes, incidence_);
  enter_ = shares(side(input, Role::head).to(device), ops::Over::edges, incidence_);
}

at::Tensor TailHeadWalk::uniform() const {
  return at::full({incidence_.nodes()}, 1.0 / nodes_, leave_.options());
}

at::Tensor TailHeadWalk::stationary(double teleport) const {
  const double jump = teleport / nodes_;
  at::Tensor pi = uniform().unsqueeze(1);
  // The error shrinks by 1 - teleport with every step.
  const int steps = static_cast<int>(std::ceil(std::log(kStationaryTolerance) / std::log1p(-teleport)));
  for (int k = 0; k < steps; ++k) {
    const at::Tensor edges = ops::gather_sum(pi, leave_, ops::Over::edges, incidence_);
    pi = (1 - teleport) * ops::gather_sum(edges, enter_, ops::Over::nodes, incidence_) + jump;
  }
  return pi.squeeze(1);
}

SymmetricWalk TailHeadWalk::symmetric(const at::Tensor& pi) const {
  const double half = std::sqrt(0.5);
  SymmetricWalk walk{times_nodes(leave_ * half, pi.sqrt(), incidence_),
                     times_nodes(enter_ * half, power_or_zero(pi, -0.5), incidence_)};
  const at::Tensor ones = at::ones({incidence_.nodes(), 1}, leave_.options());
  const at::Tensor scale = power_or_zero(walk.apply(ones, incidence_).squeeze(1), -0.5);
  walk.leave = times_nodes(walk.leave, scale, incidence_);
  walk.enter = times_nodes(walk.enter, scale, incidence_);
  return walk;
}

}  // namespace dshn::models
