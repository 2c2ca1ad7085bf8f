#include "models/map_predictor.hpp"

#include <fmt/format.h>
#include <torch/torch.h>

#include "dshn/base/error.hpp"
#include "dshn/nn/complex.hpp"
#include "dshn/nn/elementwise.hpp"
#include "dshn/nn/linear.hpp"
#include "models/message_passing.hpp"

namespace dshn::models {
namespace {

/// A bias-free weight [rows, cols] with libtorch's default initialisation of Linear.
at::Tensor linear_weight(std::int64_t rows, std::int64_t cols) {
  return torch::nn::Linear(torch::nn::LinearOptions(cols, rows).bias(false))->weight.detach().clone();
}

/// Each row to mean 0 and variance 1. Without weights of its own: V follows.
at::Tensor normed(const at::Tensor& rows) {
  const at::Tensor flat = rows.flatten(1);
  return at::layer_norm(flat, {flat.size(1)}).view(rows.sizes());
}

}  // namespace

std::vector<OptionSpec> MapPredictor::options() {
  OptionSpec edge_features = choice_option(
      "hyperedge_features", "members-mean",
      {"members-mean", "members-sum", "transformed-sum", "random", "learned", "given"},
      "what Phi sees of a hyperedge: its members' mean or sum, the sum of a learned ReLU layer of each, one "
      "random draw, learned numbers, or the data set's own");
  // The others do not fit every data set.
  edge_features.search = {"members-mean", "members-sum", "transformed-sum"};
  std::vector<OptionSpec> options{
      choice_option("maps", "diagonal", sheaf::map_kind_names(), "kind of restriction maps"),
      integer_option("rank", 1, 1, 8, {}, "rank of low-rank maps"),
      choice_option("sheaf_activation", "sigmoid", {"sigmoid", "tanh", "none"},
                    "activation of the predicted maps"),
      flag_option("sheaf_dropout", false, "drop entries of the maps, with the model's dropout"),
      edge_features,
      flag_option("map_norm", false, "layer normalisation of the features that Phi sees"),
      flag_option("map_bias", false, "a bias of Phi"),
  };
  for (OptionSpec& option : options) {
    if (option.name != "maps") option.idle_when = {kNothingPredicted};
    if (option.name == "sheaf_dropout") option.idle_when.emplace_back("dropout=0");
  }
  return options;
}

MapPredictor::MapPredictor(const Options& options, const Sizes& sizes)
    : kind_(sheaf::map_kind(options.text("maps"))),
      d_(options.integer("d")),
      rank_(options.integer("rank")),
      activation_(options.text("sheaf_activation")),
      edge_features_(options.text("hyperedge_features")),
      dropout_(options.flag("sheaf_dropout") ? options.real("dropout") : 0),
      norm_(options.flag("map_norm")) {
  const std::int64_t outputs = sheaf::parameters_per_map(kind_, d_, rank_);
  if (outputs == 0) return;
  const std::int64_t f = options.integer("hidden_width");
  from_node_ = register_parameter("from_node", linear_weight(outputs, 4 * f).narrow(1, 0, 2 * f).clone());
  if (options.flag("map_bias")) bias_ = register_parameter("bias", torch::zeros({outputs}));
  create_edge_part(outputs, f, sizes);
}

void MapPredictor::create_edge_part(std::int64_t outputs, std::int64_t f, const Sizes& sizes) {
  if (edge_features_ == "transformed-sum") {
    edge_transform_ = register_parameter("edge_transform", linear_weight(f, 2 * f));
    transform_bias_ = register_parameter("transform_bias", torch::zeros({f}));
    from_edge_ = register_parameter("from_edge", linear_weight(outputs, 3 * f).narrow(1, 0, f).clone());
    return;
  }
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

at::Tensor MapPredictor::own_features(const Input& input) const {
  if (edge_features_ == "given") return input.edge_x;
  if (own_features_.size(0) != all_edges(input)) {
    throw UsageError(
        fmt::format("hyperedge_features={} belong to the {} hyperedges the model was made for; this "
                    "hypergraph has {}: train with members-mean or members-sum to use it elsewhere",
                    edge_features_, own_features_.size(0), all_edges(input)));
  }
  return rows_here(own_features_, ops::Over::edges, input);
}

at::Tensor MapPredictor::of_nodes(const at::Tensor& mean) const {
  const at::Tensor rows = nn::unwound_linear(norm_ ? normed(mean) : mean, from_node_);
  return bias_.defined() ? rows + bias_ : rows;
}

at::Tensor MapPredictor::member_rows(const at::Tensor& mean) const {
  if (!transform_bias_.defined()) return nn::channel_linear(mean, edge_transform_.t());
  const at::Tensor rows = at::relu(nn::unwound_linear(mean, edge_transform_) + transform_bias_);
  return rows.view({rows.size(0), 1, 1, rows.size(1)});
}

at::Tensor MapPredictor::of_edges(const at::Tensor& mean, const Input& input) const {
  if (!edge_transform_.defined()) {
    const at::Tensor own = own_features(input);
    return nn::linear_rows(norm_ ? normed(own) : own, from_edge_);
  }
  const at::Tensor members = member_rows(mean);
  const at::Tensor rows = edge_features_ == "members-mean" ? mean_over(ops::Over::edges, members, input)
                                                           : sum_over(ops::Over::edges, members, input);
  const at::Tensor seen = norm_ ? normed(rows) : rows;
  return transform_bias_.defined() ? nn::linear_rows(nn::unwind(seen), from_edge_)
                                   : nn::unwound_linear(seen, from_edge_);
}

at::Tensor MapPredictor::pairs(const at::Tensor& mean, const Input& input) const {
  const bool pools_members = edge_transform_.defined() && !transform_bias_.defined();
  if (!pools_members || norm_ || bias_.defined() || input.multiplicity.has_value())
    return ops::incidence_linear(of_nodes(mean), of_edges(mean, input), input.incidence);
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
  if (activation_ == "sigmoid") z = nn::sigmoid(z);
  if (activation_ == "tanh") z = nn::tanh(z);
  return sheaf::maps_from_parameters(kind_, step.drop(z, dropout_, nn::Rows::incidences), d_, rank_);
}

}  // namespace dshn::models
