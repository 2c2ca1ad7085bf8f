#include "models/map_predictor.hpp"

#include <fmt/format.h>
#include <torch/torch.h>

#include "dshn/base/error.hpp"
#include "dshn/nn/complex.hpp"
#include "dshn/nn/linear.hpp"
#include "dshn/ops/segment.hpp"

namespace dshn::models {
namespace {

/// A bias-free weight [rows, cols] with libtorch's default initialisation of Linear.
at::Tensor linear_weight(std::int64_t rows, std::int64_t cols) {
  return torch::nn::Linear(torch::nn::LinearOptions(cols, rows).bias(false))->weight.detach().clone();
}

}  // namespace

std::vector<OptionSpec> MapPredictor::options() {
  OptionSpec edge_features = choice_option(
      "hyperedge_features", "members-mean", {"members-mean", "members-sum", "random", "learned", "given"},
      "what Phi sees of a hyperedge: its members' mean or sum, one random draw, learned numbers, or "
      "the data set's own");
  edge_features.search = {"members-mean", "members-sum"};  // the others do not fit every data set
  std::vector<OptionSpec> options{
      choice_option("maps", "diagonal", sheaf::map_kind_names(), "kind of restriction maps"),
      integer_option("rank", 1, 1, 8, {}, "rank of low-rank maps"),
      choice_option("sheaf_activation", "sigmoid", {"sigmoid", "tanh", "none"},
                    "activation of the predicted maps"),
      flag_option("sheaf_dropout", false, "drop entries of the maps, with the model's dropout"),
      edge_features,
  };
  for (OptionSpec& option : options) {
    if (option.name != "maps") option.idle_when = kNothingPredicted;
  }
  return options;
}

MapPredictor::MapPredictor(const Options& options, const Sizes& sizes)
    : kind_(sheaf::map_kind(options.text("maps"))),
      d_(options.integer("d")),
      rank_(options.integer("rank")),
      activation_(options.text("sheaf_activation")),
      edge_features_(options.text("hyperedge_features")),
      dropout_(options.flag("sheaf_dropout") ? options.real("dropout") : 0) {
  const std::int64_t outputs = sheaf::parameters_per_map(kind_, d_, rank_);
  if (outputs == 0) return;
  const std::int64_t f = options.integer("hidden_width");
  from_node_ = register_parameter("from_node", linear_weight(outputs, 4 * f).narrow(1, 0, 2 * f).clone());
  if (edge_features_ == "members-mean" || edge_features_ == "members-sum") {
    edge_transform_ = register_parameter("edge_transform", linear_weight(f, f));
    from_edge_ = register_parameter("from_edge", linear_weight(outputs, 4 * f).narrow(1, 0, 2 * f).clone());
    return;
  }
  if (edge_features_ == "given" && sizes.edge_features == 0) {
    throw UsageError(
        "model option hyperedge_features=given: the data set has no hyperedge features (edge_x)");
  }
  const std::int64_t columns = edge_features_ == "given" ? sizes.edge_features : f;
  from_edge_ = register_parameter("from_edge", linear_weight(outputs, columns));
  if (edge_features_ == "random")
    own_features_ = register_buffer("edge_features", torch::randn({sizes.edges, f}));
  if (edge_features_ == "learned")
    own_features_ = register_parameter("edge_features", torch::randn({sizes.edges, f}));
}

at::Tensor MapPredictor::of_own_features(const Input& input) const {
  if (edge_features_ == "given") return nn::linear_rows(input.edge_x, from_edge_);
  if (own_features_.size(0) != input.incidence.edges()) {
    throw UsageError(
        fmt::format("hyperedge_features={} belong to the {} hyperedges the model was made for; this "
                    "hypergraph has {}: train with members-mean or members-sum to use it elsewhere",
                    edge_features_, own_features_.size(0), input.incidence.edges()));
  }
  return nn::linear_rows(own_features_, from_edge_);
}

at::Tensor MapPredictor::pairs(const at::Tensor& mean, const Input& input) const {
  if (!edge_transform_.defined()) {
    return ops::incidence_linear(nn::unwound_linear(mean, from_node_), of_own_features(input),
                                 input.incidence);
  }
  // V_e phi pool(x) = pool(V_e phi x): what is pooled is as narrow as a map, and the products with phi are of
  // weights alone.
  const at::Tensor planes = from_edge_.view({-1, edge_transform_.size(0)});
  const at::Tensor combined = nn::linear_rows(planes, edge_transform_.t()).view(from_edge_.sizes());
  const std::vector<at::Tensor> rows =
      nn::unwound_linear(mean, at::cat({from_node_, combined})).split(from_node_.size(0), 1);
  const ops::Pool pool = edge_features_ == "members-sum" ? ops::Pool::sum : ops::Pool::mean;
  return ops::member_linear(rows[0], rows[1], pool, input.incidence);
}

at::Tensor MapPredictor::forward(const at::Tensor& mean, const Input& input, const nn::Step& step) {
  if (!predicts()) return at::ones({input.incidence.incidences(), 1}, input.x.options());
  at::Tensor z = pairs(mean, input);
  if (activation_ == "sigmoid") z = at::sigmoid(z);
  if (activation_ == "tanh") z = at::tanh(z);
  return sheaf::maps_from_parameters(kind_, step.drop(z, dropout_), d_, rank_);
}

}  // namespace dshn::models
