#include "train/estimates.hpp"

#include <torch/torch.h>

#include <numeric>

namespace dshn::train {
namespace {

at::Tensor leaf_of(const at::Tensor& values) {
  return values.defined() ? values.detach().clone().requires_grad_() : at::Tensor();
}

/// Gradient times value on the CPU; undefined where there was nothing to differentiate by.
at::Tensor products(const at::Tensor& gradient, const at::Tensor& leaf) {
  return gradient.defined() ? (gradient * leaf.detach()).to(at::kCPU).contiguous() : at::Tensor();
}

std::vector<double> numbers(const at::Tensor& part) {
  const at::Tensor values = part.to(at::kDouble).contiguous();
  return {values.data_ptr<double>(), values.data_ptr<double>() + values.numel()};
}

}  // namespace

Estimates::Estimates(const Probe& probe) : probe_(probe), part_of_item_(probe.hypergraph().node_count()) {
  if (probe.of_node()) {
    part_of_item_[probe.item()] = true;
  } else {
    for (const Index v : probe.hypergraph().members(probe.item())) part_of_item_[v] = true;
  }
  models::Input input = probe.input();
  const at::Tensor values = leaf_of(input.x.values());
  const at::Tensor edge_values = leaf_of(input.edge_x);
  input.map_factors = at::ones({input.incidence.incidences()}, input.x.options()).requires_grad_();
  input.x = input.x.with_values(values);
  input.edge_x = edge_values;
  const at::Tensor score = probe.score_of(input);
  if (!score.requires_grad()) return;

  std::vector<at::Tensor> leaves{values, input.map_factors};
  if (edge_values.defined()) leaves.push_back(edge_values);
  const auto gradients = torch::autograd::grad({score}, leaves, {}, /*retain_graph=*/false,
                                               /*create_graph=*/false, /*allow_unused=*/true);
  values_ = products(gradients[0], values);
  if (values_.defined()) {
    values_ = values_.flatten();
    by_ = EstimatedBy::features;
  }
  if (gradients[1].defined()) {
    factors_ = numbers(gradients[1].to(at::kCPU));
    by_ = EstimatedBy::maps;
  }
  if (edge_values.defined()) edge_values_ = products(gradients[2], edge_values);
}

double Estimates::member(Offset position) const {
  if (by_ == EstimatedBy::maps) return factors_[position];
  const std::vector<double> brought = features(probe_.hypergraph().member_nodes()[position]);
  return std::accumulate(brought.begin(), brought.end(), 0.0);
}

double Estimates::hyperedge(Index e) const {
  const Hypergraph& h = probe_.hypergraph();
  double sum = 0;
  for (Offset i = h.edge_ptr()[e]; i < h.edge_ptr()[e + 1]; ++i) {
    // What the item has of its own it does not lose with the hyperedge.
    if (by_ == EstimatedBy::maps || !part_of_item_[h.member_nodes()[i]]) sum += member(i);
  }
  return sum;
}

std::vector<double> Estimates::features(Index node) const {
  const nn::FeatureRows::Row row = probe_.input().x.row(node);
  const auto count = static_cast<std::int64_t>(row.columns.size());
  if (!values_.defined()) return std::vector<double>(count, 0.0);
  return numbers(values_.narrow(0, row.begin, count));
}

std::vector<double> Estimates::edge_features(Index e) const {
  return edge_values_.defined() ? numbers(edge_values_[e]) : std::vector<double>();
}

}  // namespace dshn::train
