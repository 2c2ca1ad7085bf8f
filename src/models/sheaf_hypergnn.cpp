// SheafHyperGNN: real sheaf diffusion with learned restriction maps (Duta et al., NeurIPS 2023).
#include <torch/torch.h>

#include "dshn/base/random.hpp"
#include "dshn/models/registry.hpp"
#include "dshn/nn/complex.hpp"
#include "dshn/nn/elementwise.hpp"
#include "dshn/nn/linear.hpp"
#include "dshn/nn/norm.hpp"
#include "dshn/ops/multiplicity.hpp"
#include "dshn/ops/sheaf.hpp"
#include "dshn/sheaf/maps.hpp"
#include "models/common_options.hpp"
#include "models/convolution.hpp"
#include "models/pair_linear.hpp"
#include "models/two_step_diffusion.hpp"

namespace dshn::models {
namespace {

/// Blocks of the nodes, [n, 1], [n, d] (diagonal) or [n, d, d], on a signal [n, d, 1, f].
at::Tensor apply_blocks(const at::Tensor& blocks, const at::Tensor& x) {
  if (blocks.dim() == 2) return x * blocks.unsqueeze(2).unsqueeze(3);
  return at::bmm(blocks, x.squeeze(2)).unsqueeze(2);
}

constexpr const char* kRandomRows = "random_edge_rows";

/// Entry by entry, through logarithms: signs apart, and a factor is 1e-12 at least.
at::Tensor product_over_members(const at::Tensor& factors, const ops::Incidence& incidence) {
  const at::Tensor sizes =
      ops::gather_sum(nn::log(factors.abs().clamp_min(1e-12)), ops::Over::edges, incidence);
  const at::Tensor negative =
      ops::gather_sum((factors < 0).to(factors.scalar_type()), ops::Over::edges, incidence);
  return nn::exp(sizes) * (1 - 2 * at::remainder(negative, 2));
}

/// Layer normalisation along the last dimension of any shape.
at::Tensor norm_last(const at::Tensor& x, const torch::nn::LayerNormImpl& norm) {
  return nn::layer_norm(x.reshape({-1, x.size(-1)}), norm).view(x.sizes());
}

/// The maps of all incidences and what follows from them.
struct NodeSheaf {
  StepMaps maps;
  at::Tensor diagonal;  // sum over e of F^T F / |e|: the diagonal blocks of H_B delta^-1 H_B^T
  at::Tensor scale;     // N_v, or its square root where both sides are scaled
};

/// Maps F_ve = act(V [x_v || x_e] + b) from the stalks' means.
class SheafBuilder : public torch::nn::Module {
 public:
  SheafBuilder(const Options& options, std::int64_t width)
      : kind_(sheaf::map_kind(options.text("maps"))),
        d_(options.integer("d")),
        rank_(options.integer("rank")),
        activation_(options.text("sheaf_activation")),
        edge_features_(options.text("hyperedge_features")),
        dropout_(options.flag("sheaf_dropout") ? options.real("dropout") : 0) {
    const std::int64_t outputs = sheaf::parameters_per_map(kind_, d_, rank_);
    if (outputs == 0) return;  // orthogonal maps of dimension 1: nothing to predict
    if (edge_features_ == "members-sum" || edge_features_ == "members-product")
      edge_transform_ = register_module("edge_transform", torch::nn::Linear(width, width));
    if (edge_features_ == "members-product")
      product_transform_ = register_module("product_transform", torch::nn::Linear(width, width));
    predictor_ = register_module("predictor",
                                 std::make_shared<PairLinear>(width, outputs, options.flag("input_norm")));
  }

  /// `start` is the lifted signal, before any layer.
  at::Tensor forward(const at::Tensor& x, const at::Tensor& start, const Input& input, const nn::Step& step) {
    if (!predictor_) return at::ones({input.incidence.incidences(), 1}, x.options());
    const at::Tensor nodes = x.mean(1).squeeze(1);
    at::Tensor z = predictor_->forward(nodes, edge_rows(nodes, start, input), input.incidence);
    if (activation_ == "sigmoid") z = nn::sigmoid(z);
    if (activation_ == "tanh") z = nn::tanh(z);
    return sheaf::maps_from_parameters(kind_, step.drop(z, dropout_, nn::Rows::incidences), d_, rank_);
  }

 private:
  at::Tensor edge_rows(const at::Tensor& nodes, const at::Tensor& start, const Input& input) {
    if (edge_features_ == "members-mean") return mean_over(ops::Over::edges, nodes, input);
    if (edge_features_ == "first-mean") return mean_over(ops::Over::edges, start.mean(1).squeeze(1), input);
    if (edge_features_ == "random") return input.derived.at(kRandomRows);
    const at::Tensor rows = nn::linear_rows(nodes, edge_transform_->weight, edge_transform_->bias);
    if (edge_features_ == "members-sum") return sum_over(ops::Over::edges, rows, input);
    const at::Tensor product = product_over_members(nn::tanh(rows), input.incidence);
    return at::relu(nn::linear_rows(product, product_transform_->weight, product_transform_->bias)) +
           at::relu(ops::gather_sum(nodes, ops::Over::edges, input.incidence));
  }

  const sheaf::MapKind& kind_;
  std::int64_t d_;
  std::int64_t rank_;
  std::string activation_;
  std::string edge_features_;
  double dropout_;
  torch::nn::Linear edge_transform_{nullptr};
  torch::nn::Linear product_transform_{nullptr};
  std::shared_ptr<PairLinear> predictor_;
};

/// x' = y + N (offdiag(K) - bdiag(K)) y + b with y = (I (x) W1) x W2 and K = H_B delta^-1 H_B^T, matrix-free:
/// offdiag(K) - bdiag(K) = K - 2 bdiag(K), and K is the sheaf's signless operator.
class SheafConv : public torch::nn::Module {
 public:
  SheafConv(const Options& options, std::int64_t d, std::int64_t width)
      : residual_(options.flag("residual")),
        symmetric_(options.text("normalisation").rfind("sym-", 0) == 0),
        authors_(options.is("variant", "authors")),
        blind_(authors_ && !options.is("maps", "diagonal")) {
    if (options.flag("left_projection")) left_ = register_module("left", torch::nn::Linear(d, d));
    right_ = register_module("right", torch::nn::Linear(width, width));
    if (options.flag("conv_norm")) {
      const auto norm = [](std::int64_t length) {
        return torch::nn::LayerNorm(torch::nn::LayerNormOptions({length}));
      };
      if (left_) left_norm_ = register_module("left_norm", norm(d));
      right_norm_ = register_module("right_norm", norm(width));
    }
    bias_ = register_parameter("bias", torch::zeros({width}));
  }

  at::Tensor forward(const at::Tensor& x, const NodeSheaf& sheaf, const Input& input) {
    at::Tensor y = x;
    if (left_norm_) y = norm_last(y.transpose(1, 3).contiguous(), *left_norm_).transpose(1, 3).contiguous();
    if (left_) {
      // The bias of a stalk component is spread over the channels first: a fixed order of its gradient's sum.
      const at::Tensor bias = left_->bias.view({-1, 1, 1}).expand({x.size(1), 1, x.size(3)});
      y = nn::stalk_linear(y, left_->weight) + bias;
    }
    if (right_norm_) y = norm_last(y, *right_norm_);
    y = nn::channel_linear(y, right_->weight.t()) + right_->bias;
    const at::Tensor scaled = symmetric_ ? apply_blocks(sheaf.scale, y) : y;
    const at::Tensor own = apply_blocks(sheaf.diagonal, scaled);
    const at::Tensor mixed = blind_ ? -own : diffused(scaled, sheaf.maps, input) - 2 * own;
    const at::Tensor out = (authors_ ? scaled : y) + apply_blocks(sheaf.scale, mixed) + bias_;
    return residual_ ? out + y : out;
  }

 private:
  static at::Tensor diffused(const at::Tensor& x, const StepMaps& maps, const Input& input) {
    if (input.node_multiplicity.has_value()) return diffuse_in_two_steps(x, maps, {}, input);
    return ops::sheaf_signless(x, maps.to_edges, {}, input.repeated_weight, input.incidence);
  }

  bool residual_;
  bool symmetric_;
  bool authors_;
  bool blind_;  // the published code of other maps than diagonal ones loses the neighbours
  torch::nn::Linear left_{nullptr};
  torch::nn::Linear right_{nullptr};
  torch::nn::LayerNorm left_norm_{nullptr};
  torch::nn::LayerNorm right_norm_{nullptr};
  at::Tensor bias_;
};

class SheafHyperGnn : public Model {
 public:
  SheafHyperGnn(const Options& options, const Sizes& sizes)
      : sizes_(sizes),
        d_(options.integer("d")),
        width_(options.integer("hidden_width")),
        dropout_(options.real("dropout")),
        dynamic_(options.flag("dynamic_sheaf")),
        normalisation_(options.text("normalisation")),
        self_loops_(options.flag("self_loops")),
        random_edges_(options.is("hyperedge_features", "random")),
        multiplies_(options.is("hyperedge_features", "members-product")) {
    lift_ = register_module("lift", torch::nn::Linear(sizes.features, d_ * width_));
    const std::int64_t layers = options.integer("layers");
    for (std::int64_t t = 0; t < layers; ++t) {
      const std::string number = std::to_string(t);
      if (t == 0 || dynamic_) {
        builders_.push_back(
            register_module("builder" + number, std::make_shared<SheafBuilder>(options, width_)));
      }
      convs_.push_back(register_module("conv" + number, std::make_shared<SheafConv>(options, d_, width_)));
    }
    classifier_ = register_module(
        "classifier", torch::nn::Linear(torch::nn::LinearOptions(d_ * width_, sizes.classes).bias(false)));
  }

  Input prepare(const Input& input) const override {
    // A member that counts 2.5 times is a factor to the power of 2.5, which a negative one does not have.
    if (multiplies_)
      refuse_incidence_weights(input.hypergraph, "sheaf-hypergnn with hyperedge_features=members-product");
    Input prepared = prepared_input(input, self_loops_);
    if (input.node_multiplicity.has_value()) prepared = for_two_steps(prepared);
    const at::Tensor sizes = edge_sizes_or_one(prepared);
    const at::Tensor weight = prepared.edge_weight.has_value() ? *prepared.edge_weight : at::ones_like(sizes);
    prepared.derived["weight_over_size"] = weight / sizes;
    if (random_edges_) prepared.derived[kRandomRows] = random_rows(prepared);
    prepared.derived["degree"] = sum_over(ops::Over::nodes, weight.unsqueeze(1), prepared);
    return prepared;
  }

  at::Tensor represent(const Input& input, const nn::Step& step) override {
    const at::Tensor start = input.x.linear(lift_->weight, lift_->bias, step, 0).view({-1, d_, 1, width_});
    at::Tensor x = start;
    NodeSheaf sheaf;
    for (std::size_t t = 0; t < convs_.size(); ++t) {
      if (t < builders_.size()) sheaf = sheaf_of(builders_[t]->forward(x, start, input, step), input);
      x = convs_[t]->forward(x, sheaf, input);
      if (t + 1 < convs_.size()) x = step.drop(nn::elu(x), dropout_, nn::Rows::nodes);
    }
    return rows_of_target(nn::unwind(x), input, sizes_);
  }

  at::Tensor scores(const at::Tensor& rows) override { return nn::linear_rows(rows, classifier_->weight); }

  bool degrees_have_maps() const override { return normalisation_.ends_with("block"); }

  std::string needs_whole() const override {
    if (multiplies_) return "hyperedge_features=members-product takes all members of a hyperedge";
    return random_edges_ ? "hyperedge_features=random are drawn for all hyperedges at once" : "";
  }

 private:
  /// One draw for all splits of a data set; self-loops have rows too.
  at::Tensor random_rows(const Input& prepared) const {
    Random random(0);
    std::vector<double> values(all_edges(prepared) * width_);
    for (double& value : values) value = random.normal();
    const at::Tensor rows = torch::tensor(values, torch::kDouble).view({-1, width_});
    return rows_here(rows, ops::Over::edges, prepared).to(prepared.x.options());
  }

  NodeSheaf sheaf_of(const at::Tensor& maps, const Input& input) const {
    const auto type = maps.scalar_type();
    const at::Tensor diagonal = own_blocks(maps, input.derived.at("weight_over_size"), input).to(type);
    return {step_maps(maps, input), diagonal, node_scale(maps, input).to(type)};
  }

  at::Tensor node_scale(const at::Tensor& maps, const Input& input) const {
    const at::Tensor& degree = input.derived.at("degree");
    if (normalisation_ == "degree") return power_or_zero(degree, -1);
    if (normalisation_ == "sym-degree") return power_or_zero(degree, -0.5);
    const at::Tensor root = ops::inverse_sqrt(
        ops::repeated_degree(maps, input.edge_weight, counts(ops::Over::nodes, input), input.incidence));
    if (normalisation_ == "sym-block") return root;
    return root.dim() == 3 ? at::bmm(root, root) : root.square();
  }

  Sizes sizes_;
  std::int64_t d_;
  std::int64_t width_;
  double dropout_;
  bool dynamic_;
  std::string normalisation_;
  bool self_loops_;
  bool random_edges_;
  bool multiplies_;
  torch::nn::Linear lift_{nullptr};
  std::vector<std::shared_ptr<SheafBuilder>> builders_;
  std::vector<std::shared_ptr<SheafConv>> convs_;
  torch::nn::Linear classifier_{nullptr};
};

std::vector<OptionSpec> sheaf_hypergnn_options() {
  std::vector<std::string> kinds = sheaf::map_kind_names();
  std::erase(kinds, "trivial");  // without predicted maps nothing of this model is left
  OptionSpec maps = choice_option("maps", "diagonal", std::move(kinds), "kind of restriction maps");
  maps.search = {"diagonal"};
  OptionSpec normalisation =
      choice_option("normalisation", "degree", {"degree", "sym-degree", "block", "sym-block"},
                    "by the node's degree or by the block sum F^T F, on the left or on both sides");
  normalisation.search = {"degree", "sym-degree"};
  OptionSpec edge_features =
      choice_option("hyperedge_features", "members-sum",
                    {"members-sum", "members-product", "members-mean", "first-mean", "random"},
                    "what the maps see of a hyperedge: the sum of its members' transformed rows, a network "
                    "of their product and "
                    "their sum (the authors' cp_decomp), their mean, the mean of their lifted features, or "
                    "one random draw");
  edge_features.search = {"members-sum", "members-product", "first-mean", "random"};
  OptionSpec sheaf_dropout =
      flag_option("sheaf_dropout", false, "drop entries of the maps, with the model's dropout");
  sheaf_dropout.idle_when = {"dropout=0"};
  OptionSpec dynamic = flag_option("dynamic_sheaf", true, "predict new maps at each layer, instead of once");
  dynamic.idle_when = {"layers=1"};
  return {integer_option("d", 4, 1, 16, {"1", "2", "3", "4", "5", "6"}, "stalk dimension"),
          integer_option("layers", 4, 1, 32, {"1", "2", "3", "4", "5"}, "convolutional layers"),
          hidden_width_option(),
          dropout_option(0.5, "dropout after every layer but the last"),
          maps,
          integer_option("rank", 1, 1, 8, {}, "rank of low-rank maps"),
          choice_option("sheaf_activation", "sigmoid", {"sigmoid", "tanh", "none"},
                        "activation of the predicted maps"),
          sheaf_dropout,
          edge_features,
          flag_option("input_norm", false, "layer normalisation of the pairs that the maps are made of"),
          flag_option("conv_norm", false, "layer normalisation before the linear layers of a convolution"),
          normalisation,
          flag_option("left_projection", true, "a learned linear layer along the stalk"),
          flag_option("residual", false, "add a layer's transformed input to its output"),
          dynamic,
          self_loops_option(),
          variant_option("where all maps but diagonal ones lose the neighbours and the identity is scaled "
                         "with the signal")};
}

}  // namespace

ModelEntry sheaf_hypergnn_entry() {
  return {"sheaf-hypergnn", "SheafHyperGNN", "Real sheaf diffusion on the undirected hypergraph",
          sheaf_hypergnn_options(), [](const Options& options, const Sizes& sizes) -> std::shared_ptr<Model> {
            return std::make_shared<SheafHyperGnn>(options, sizes);
          }};
}

}  // namespace dshn::models
