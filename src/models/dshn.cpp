// DSHN and DSHNLight (paper, section 'Directional Sheaf Hypergraph Network').
#include <torch/torch.h>

#include <functional>

#include "dshn/models/registry.hpp"
#include "dshn/nn/complex.hpp"
#include "dshn/ops/segment.hpp"
#include "dshn/ops/sheaf.hpp"
#include "dshn/ops/stalk.hpp"
#include "models/map_predictor.hpp"

namespace dshn::models {
namespace {

struct Projection {
  at::Tensor projected;
  at::Tensor mean;
};

/// X' = drop(act(norm(Q_N (I (x) W1) X W2) [+ X])), eq. (diffusion) with the options of 'Architectural
/// Choices'.
class Layer : public torch::nn::Module {
 public:
  explicit Layer(const Options& options)
      : residual_(options.flag("residual")), dropout_(options.real("dropout")) {
    const std::int64_t d = options.integer("d");
    const std::int64_t f = options.integer("hidden_width");
    if (options.flag("left_projection")) w1_ = register_parameter("w1", torch::eye(d));
    w2_ = register_parameter("w2", torch::nn::init::xavier_uniform_(torch::empty({f, f})));
    if (options.flag("layer_norm")) norm_ = register_module("norm", std::make_shared<nn::ComplexLayerNorm>());
  }

  /// (I (x) W1) X, and the mean of X over the stalk where that is asked for: both read all of X.
  Projection project(const at::Tensor& x, bool with_mean) const {
    if (!w1_.defined()) return {x, with_mean ? x.mean(1, /*keepdim=*/true) : at::Tensor()};
    if (!with_mean) return {nn::stalk_linear(x, w1_), at::Tensor()};
    const auto [projected, mean] = ops::stalk_product_and_mean(x, w1_);
    return {projected, mean};
  }

  at::Tensor forward(const at::Tensor& x, const at::Tensor& projected, const at::Tensor& maps,
                     const ops::OptionalTensor& q, const Input& input, const nn::Step& step) {
    at::Tensor y = nn::channel_linear(projected, w2_);
    // The first layer's signal is real until it meets the phase.
    const bool lifts = q.has_value() && x.size(2) == 1;
    if (lifts) y = complex(y);
    const at::Tensor skip = residual_ ? (lifts ? complex(x) : x) : at::Tensor();
    const nn::LayerEnd end = step.end(skip, dropout_);
    if (!norm_)
      return ops::sheaf_rectified(y, maps, q, input.edge_weight, end.skip, end.p, end.key, input.incidence);
    y = norm_->forward(ops::sheaf_signless(y, maps, q, input.edge_weight, input.incidence));
    return ops::rectify(y, end.skip, end.p, end.key);
  }

 private:
  static at::Tensor complex(const at::Tensor& x) { return at::cat({x, at::zeros_like(x)}, 2); }

  bool residual_;
  double dropout_;
  at::Tensor w1_;
  at::Tensor w2_;
  std::shared_ptr<nn::ComplexLayerNorm> norm_;
};

/// Where the maps' gradients go: everywhere (DSHN) or nowhere (DSHNLight).
enum class Variant : std::uint8_t { full, light };

class Dshn : public Model {
 public:
  Dshn(const Options& options, const Sizes& sizes, Variant variant)
      : variant_(variant),
        target_(sizes.target),
        d_(options.integer("d")),
        f_(options.integer("hidden_width")),
        input_dropout_(options.real("input_dropout")),
        dynamic_(options.flag("dynamic_sheaf")),
        orthogonal_(sheaf::map_kind(options.text("maps")).orthogonal && !options.is("maps", "trivial") &&
                    options.integer("d") > 1),
        trivial_(options.is("maps", "trivial")),
        add_identity_(options.flag("add_identity")) {
    const std::int64_t layers = options.integer("layers");
    lift_ = register_module("lift", torch::nn::Linear(sizes.features, d_ * f_));
    for (std::int64_t t = 0; t < layers; ++t) {
      layers_.push_back(register_module("layer" + std::to_string(t), std::make_shared<Layer>(options)));
    }
    for (std::int64_t t = 0; t < (dynamic_ ? layers : 1); ++t) {
      phi_.push_back(
          register_module("phi" + std::to_string(t), std::make_shared<MapPredictor>(options, sizes)));
      if (variant_ == Variant::light) {
        for (at::Tensor& parameter : phi_.back()->parameters()) parameter.requires_grad_(false);
      }
    }
    classifier_ = register_module(
        "classifier", std::make_shared<nn::Classifier>(2 * d_ * f_, options.integer("classifier_width"),
                                                       sizes.classes, options.real("dropout")));
    create_charges(options, layers);
  }

  at::Tensor represent(const Input& input, const nn::Step& step) override {
    const at::Tensor x = diffuse(input, step, {});
    if (target_ == Target::nodes) return classifier_->hidden_planar(x, step);
    const at::Tensor pooled = ops::gather_sum(nn::unwind(x), ops::Over::edges, input.incidence);
    return classifier_->hidden_planar(pooled.view({-1, d_, x.size(2), f_}), step);
  }

  at::Tensor scores(const at::Tensor& rows) override { return classifier_->scores(rows); }

  std::vector<LayerSheaf> sheaves(const Input& input) override {
    std::vector<LayerSheaf> seen;
    diffuse(input, {false, nullptr}, [&](const at::Tensor& maps, const ops::OptionalTensor& q) {
      seen.push_back({maps, q.has_value() ? q->item<double>() : 0, d_});
    });
    return seen;
  }

  double activations(const Input& input) const override {
    const double planes = input.directed && (learned_charge_ || charge_ != 0) ? 2 : 1;
    const auto row = static_cast<double>(d_ * f_) * planes;
    const auto nodes = static_cast<double>(input.incidence.nodes());
    const auto edges = static_cast<double>(input.incidence.edges());
    const auto map = static_cast<double>(input.incidence.incidences() * d_ * (trivial_ ? 1 : d_));
    const auto layers = static_cast<double>(layers_.size());
    const double maps_kept = variant_ == Variant::full ? (dynamic_ ? layers : 1) * map * 4 : map;
    return layers * row * (6 * nodes + edges) + maps_kept + static_cast<double>(input.x.entries());
  }

 private:
  using OnLayer = std::function<void(const at::Tensor& maps, const ops::OptionalTensor& q)>;

  /// The signal after all layers; `on_layer` is shown the sheaf of each.
  at::Tensor diffuse(const Input& input, const nn::Step& step, const OnLayer& on_layer) {
    at::Tensor x = input.x.linear(lift_->weight, lift_->bias, step, input_dropout_).view({-1, d_, 1, f_});
    const bool is_complex = input.directed && (learned_charge_ || charge_ != 0);
    at::Tensor maps;
    at::Tensor normalized;
    for (std::size_t t = 0; t < layers_.size(); ++t) {
      const bool new_maps = t == 0 || dynamic_;
      const auto [projected, mean] = layers_[t]->project(x, new_maps && phi_[t]->predicts());
      if (new_maps) {
        const at::AutoGradMode gradients(variant_ == Variant::full && at::GradMode::is_enabled());
        maps = phi_[t]->forward(variant_ == Variant::full || !mean.defined() ? mean : mean.detach(), input,
                                step);
        normalized = normalized_maps(maps, input);
      }
      const ops::OptionalTensor q = is_complex ? ops::OptionalTensor(charge(t, x)) : ops::OptionalTensor();
      if (on_layer) on_layer(maps, q);
      x = layers_[t]->forward(x, projected, normalized, q, input, step);
    }
    return x;
  }

  void create_charges(const Options& options, std::int64_t layers) {
    learned_charge_ = options.is("q", "learn") || options.is("q", "learn-per-layer");
    if (!learned_charge_) {
      charge_ = options.real("q");
      return;
    }
    const std::int64_t count = options.is("q", "learn") ? 1 : layers;
    charges_ = register_parameter("q", torch::full({count}, options.real("q_init")));
  }

  at::Tensor charge(std::size_t layer, const at::Tensor& like) const {
    if (!learned_charge_) return at::full({}, charge_, at::kDouble);
    return charges_[charges_.size(0) == 1 ? 0 : static_cast<std::int64_t>(layer)].to(like.scalar_type());
  }

  /// F_ue D_u^(-1/2), or F_ue (D_u + I)^(-1/2).
  at::Tensor normalized_maps(const at::Tensor& maps, const Input& input) const {
    // Where F^T F = I, D_u is the weighted degree times the identity.
    const at::Tensor seen = orthogonal_ ? at::ones({maps.size(0), 1}, maps.options()) : maps;
    at::Tensor degree = ops::degree_blocks(seen, input.edge_weight, input.incidence);
    if (add_identity_) degree = degree.dim() == 3 ? degree + at::eye(d_, degree.options()) : degree + 1;
    const at::Tensor normalized = ops::scale_maps(seen, ops::inverse_sqrt(degree), input.incidence);
    return orthogonal_ ? maps * normalized.unsqueeze(2) : normalized;
  }

  Variant variant_;
  Target target_;
  std::int64_t d_;
  std::int64_t f_;
  double input_dropout_;
  bool dynamic_;
  bool orthogonal_;
  bool trivial_;
  bool add_identity_;
  bool learned_charge_ = false;
  double charge_ = 0;
  torch::nn::Linear lift_{nullptr};
  std::vector<std::shared_ptr<Layer>> layers_;
  std::vector<std::shared_ptr<MapPredictor>> phi_;
  std::shared_ptr<nn::Classifier> classifier_;
  at::Tensor charges_;
};

std::vector<OptionSpec> dshn_options() {
  OptionSpec q = real_option("q", 0.25, -0.5, 0.5, {"0", "0.05", "0.1", "0.15", "0.2", "0.25"},
                             "charge: how much direction counts; 0 forgets it");
  q.words = {"learn", "learn-per-layer"};
  OptionSpec dynamic = flag_option("dynamic_sheaf", true, "predict new maps at each layer, instead of once");
  dynamic.idle_when = kNothingPredicted;
  std::vector<OptionSpec> options{
      integer_option("d", 4, 1, 16, {"1", "2", "3", "4", "5", "6"}, "stalk dimension"),
      integer_option("layers", 4, 1, 32, {"1", "2", "3", "4", "5"}, "convolutional layers"),
      integer_option("hidden_width", 64, 1, 4096, {"64", "128", "256", "512"},
                     "channels per stalk component"),
      integer_option("classifier_width", 64, 1, 4096, {"64", "128", "256"}, "hidden width of the classifier"),
      q,
      real_option("q_init", 0.25, -0.5, 0.5, {}, "where a learned charge starts"),
      real_option("dropout", 0.5, 0, 0.95, {"0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9"},
                  "dropout after every layer and in the classifier"),
      real_option("input_dropout", 0, 0, 0.95, {}, "dropout of the input features"),
      flag_option("left_projection", true, "W1: a learned d x d matrix along the stalk"),
      flag_option("residual", false, "add a layer's input before its activation"),
      flag_option("layer_norm", false, "complex layer normalisation of the diffused signal"),
      flag_option("add_identity", false, "normalise by D_V + I instead of D_V"),
      dynamic,
  };
  const std::vector<OptionSpec> maps = MapPredictor::options();
  options.insert(options.end(), maps.begin(), maps.end());
  return options;
}

}  // namespace

ModelEntry dshn_entry() {
  return {"dshn", "DSHN",
          "Directional Sheaf Hypergraph Network: learned restriction maps, complex directed diffusion",
          dshn_options(), [](const Options& options, const Sizes& sizes) -> std::shared_ptr<Model> {
            return std::make_shared<Dshn>(options, sizes, Variant::full);
          }};
}

ModelEntry dshn_light_entry() {
  return {"dshn-light", "DSHNLight",
          "DSHN with the maps outside the gradient graph: cheaper, often as accurate", dshn_options(),
          [](const Options& options, const Sizes& sizes) -> std::shared_ptr<Model> {
            return std::make_shared<Dshn>(options, sizes, Variant::light);
          }};
}

}  // namespace dshn::models
