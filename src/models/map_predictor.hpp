#pragma once

#include <torch/nn/module.h>

#include <string>

#include "dshn/base/options.hpp"
#include "dshn/models/model.hpp"
#include "dshn/sheaf/maps.hpp"

namespace dshn::models {

/// Where nothing is predicted, and what would shape a prediction is idle.
inline constexpr const char* kNothingPredicted = "maps=trivial";

/// Phi of the paper: restriction maps F_ue = act(V [x_u || x_e] [+ b]) from node and hyperedge features.
///
/// Features are averaged over the stalk and unwound, as the paper's parameter counts require. The linear
/// layer is split, V [x_u || x_e] = V_u x_u + V_e x_e, so that no product is taken per incidence. With map_norm,
/// x_u and x_e are each normalised first, over the numbers they have: a real signal has no imaginary ones.
class MapPredictor : public torch::nn::Module {
 public:
  MapPredictor(const Options& options, const Sizes& sizes);

  /// Whether the maps depend on the signal.
  bool predicts() const { return from_node_.defined(); }
  /// Maps of all incidences for a signal with this mean over the stalk, [n, 1, planes, f].
  at::Tensor forward(const at::Tensor& mean, const Input& input, const nn::Step& step);

  static std::vector<OptionSpec> options();

 private:
  void create_edge_part(std::int64_t outputs, std::int64_t f, const Sizes& sizes);
  /// V [x_u || x_e] + b of all incidences, [nnz, parameters per map].
  at::Tensor pairs(const at::Tensor& mean, const Input& input) const;
  /// V_u x_u + b, [n, parameters per map].
  at::Tensor of_nodes(const at::Tensor& mean) const;
  /// V_e x_e, [m, parameters per map].
  at::Tensor of_edges(const at::Tensor& mean, const Input& input) const;
  /// What is pooled over the members, as rows of a signal [n, 1, planes, f].
  at::Tensor member_rows(const at::Tensor& mean) const;
  /// Random, learned or given, [m, columns].
  at::Tensor own_features(const Input& input) const;

  const sheaf::MapKind& kind_;
  std::int64_t d_;
  std::int64_t rank_;
  std::string activation_;
  std::string edge_features_;
  double dropout_;
  bool norm_;
  at::Tensor from_node_;       // V_u [p, 2 f]
  at::Tensor bias_;            // b [p]
  at::Tensor from_edge_;       // V_e [p, 2 f], or [p, columns of x_e] for features of the hyperedge's own
  at::Tensor edge_transform_;  // phi [f, f], or [f, 2 f] with a bias before its ReLU
  at::Tensor transform_bias_;  // [f]
  at::Tensor own_features_;    // random or learned x_e [m, f]
};

}  // namespace dshn::models
