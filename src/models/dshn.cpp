// DSHN and DSHNLight (paper, section 'Directional Sheaf Hypergraph Network').
#include <torch/torch.h>

#include <functional>

#include "dshn/base/error.hpp"
#include "dshn/models/registry.hpp"
#include "dshn/nn/recompute.hpp"
#include "dshn/ops/multiplicity.hpp"
#include "dshn/ops/sheaf.hpp"
#include "models/dshn_layer.hpp"
#include "models/hyperedge_charge.hpp"
#include "models/map_predictor.hpp"
#include "models/message_passing.hpp"

namespace dshn::models {
namespace {

/// Where the maps' gradients go: everywhere (DSHN) or nowhere (DSHNLight).
enum class Variant : std::uint8_t { full, light };

constexpr const char* kPerHyperedge = "learn-per-hyperedge";
constexpr const char* kEdgeCharge = "hyperedge_charge";

/// Few columns cannot spare one: on four of roles and degrees dropping half of them costs ten points.
constexpr std::int64_t kColumnsToSpare = 8;

double input_dropout_of(const Options& options, const Sizes& sizes) {
  if (!options.is("input_dropout", "auto")) return options.real("input_dropout");
  return sizes.features >= kColumnsToSpare ? 0.5 : 0;
}

class Dshn : public Model {
 public:
  Dshn(const Options& options, const Sizes& sizes, Variant variant)
      : variant_(variant),
        target_(sizes.target),
        d_(options.integer("d")),
        f_(options.integer("hidden_width")),
        input_dropout_(input_dropout_of(options, sizes)),
        dynamic_(options.flag("dynamic_sheaf")),
        by_degree_(!options.is("maps", "trivial") &&
                   (options.is("normalisation", "degree") ||
                    (sheaf::map_kind(options.text("maps")).orthogonal && options.integer("d") > 1))),
        trivial_(options.is("maps", "trivial")),
        degrees_alone_(by_degree_ && !sheaf::map_kind(options.text("maps")).orthogonal),
        add_identity_(options.flag("add_identity")),
        copies_input_(options.is("input_imaginary", "copy")),
        recomputes_(options.is(kMemoryOption, "recompute")),
        given_(options.is("hyperedge_features", "given") && !trivial_) {
    refuse_what_cannot_be(options);
    const std::int64_t layers = options.integer("layers");
    lift_ = register_module("lift", torch::nn::Linear(sizes.features, d_ * f_));
    for (std::int64_t t = 0; t < layers; ++t) {
      const bool activates = t + 1 < layers || options.flag("last_activation");
      layers_.push_back(
          register_module("layer" + std::to_string(t), std::make_shared<DshnLayer>(options, activates)));
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

  Input prepare(const Input& input) const override {
    return edge_charge_ || input.node_multiplicity.has_value() ? for_two_steps(input) : input;
  }

  bool decays(const std::string& parameter) const override {
    return parameter != "q" && parameter.rfind(kEdgeCharge, 0) != 0;
  }

  bool heeds_edge_features() const override { return given_; }
  bool degrees_have_maps() const override { return !trivial_ && !by_degree_; }

  at::Tensor represent(const Input& input, const nn::Step& step) override {
    return classifier_->hidden_planar(pooled(input, step), rows_of_items(), step);
  }

  at::Tensor forward(const Input& input, const nn::Step& step) override {
    return forward_items(input, step, {});
  }

  at::Tensor forward_items(const Input& input, const nn::Step& step, const at::Tensor& items) override {
    return classifier_->scores_of(pooled(input, step), rows_of_items(), step, items);
  }

  at::Tensor scores(const at::Tensor& rows) override { return classifier_->scores(rows); }

  std::vector<LayerSheaf> sheaves(const Input& input) override {
    std::vector<LayerSheaf> seen;
    diffuse(input, {false, nullptr}, [&](const at::Tensor& maps, const Charge& charge) {
      const double q = charge.of_edges.defined() ? charge.of_edges.mean().item<double>()
                       : charge.all.has_value()  ? charge.all->item<double>()
                                                 : 0;
      seen.push_back({maps, q, d_, charge.of_edges, add_identity_, degrees_alone_});
    });
    return seen;
  }

 private:
  using OnLayer = std::function<void(const at::Tensor& maps, const Charge& charge)>;

  /// What one layer hands to the next.
  struct Signal {
    at::Tensor x;
    at::Tensor normalized;  // maps that later layers use again
  };

  void refuse_what_cannot_be(const Options& options) const {
    if (variant_ == Variant::light && options.is("hyperedge_features", "learned") && !trivial_)
      throw UsageError(
          "model option hyperedge_features=learned: dshn-light does not train its maps, so nothing would be "
          "learned; expected random");
    if (options.is("q", kPerHyperedge) && !sheaf::map_kind(options.text("maps")).scalar)
      throw UsageError(
          "model option q=learn-per-hyperedge: expected maps=diagonal or maps=trivial, got maps=" +
          options.text("maps"));
  }

  nn::Rows rows_of_items() const { return target_ == Target::nodes ? nn::Rows::nodes : nn::Rows::edges; }

  /// The signal of each item: of a hyperedge, the sum of its members'.
  at::Tensor pooled(const Input& input, const nn::Step& step) {
    const at::Tensor x = diffuse(input, step, {});
    if (target_ == Target::nodes) return x;
    return sum_over(ops::Over::edges, nn::unwind(x), input).view({-1, d_, x.size(2), f_});
  }

  bool is_complex(const Input& input) const {
    return input.directed && (edge_charge_ || charges_.defined() || charge_ != 0);
  }

  /// The signal after all layers; `on_layer` is shown the sheaf of each.
  at::Tensor diffuse(const Input& input, const nn::Step& step, const OnLayer& on_layer) {
    Signal signal;
    at::Tensor maps;  // of the layers so far that made some
    for (std::size_t t = 0; t < layers_.size(); ++t) {
      signal = recomputes(input, step) ? layer_again(t, signal, input, step)
                                       : layer(t, signal, input, step, maps, on_layer);
    }
    return signal.x;
  }

  bool recomputes(const Input& input, const nn::Step& step) const {
    const bool asks_for_input = input.x.requires_grad() || input.map_factors.defined() ||
                                (input.edge_x.defined() && input.edge_x.requires_grad());
    return recomputes_ && step.training && !asks_for_input && at::GradMode::is_enabled();
  }

  at::Tensor lifted(const Input& input, const nn::Step& step) const {
    const at::Tensor x =
        input.x.linear(lift_->weight, lift_->bias, step, input_dropout_).view({-1, d_, 1, f_});
    return is_complex(input) && copies_input_ ? at::cat({x, x}, 2) : x;
  }

  /// The lift too, before the first layer.
  Signal layer(std::size_t t, Signal signal, const Input& input, const nn::Step& step, at::Tensor& maps,
               const OnLayer& on_layer) {
    if (t == 0) signal.x = lifted(input, step);
    const at::Tensor x = signal.x;
    // Whoever gives factors wants to know what all of the model makes of them.
    const bool followed = variant_ == Variant::full || input.map_factors.defined();
    const bool complex = is_complex(input);
    const bool new_sheaf = t == 0 || dynamic_;
    const bool new_maps = new_sheaf && phi_[t]->predicts();
    const bool edge_charges = complex && edge_charge_;
    const auto [projected, mean] = layers_[t]->project(x, new_maps || edge_charges);
    const at::Tensor seen = followed || !mean.defined() ? mean : mean.detach();
    if (new_sheaf) {
      const at::AutoGradMode gradients(followed && at::GradMode::is_enabled());
      maps = phi_[t]->forward(seen, input, step);
      if (input.map_factors.defined()) maps = ops::times(maps, input.map_factors);
      signal.normalized = normalized_maps(maps, input);
    }
    Charge charge;
    if (edge_charges)
      charge.of_edges = edge_charge_->forward(seen, input);
    else if (complex)
      charge.all = charge_of(t, x);
    if (on_layer) on_layer(maps, charge);
    signal.x = layers_[t]->forward(x, projected, signal.normalized, charge, input, step);
    return signal;
  }

  /// The same, of which nothing is kept but what it hands on.
  Signal layer_again(std::size_t t, const Signal& signal, const Input& input, const nn::Step& step) {
    const bool last = t + 1 == layers_.size();
    const bool takes_maps = !dynamic_ && t > 0;
    const bool gives_maps = !dynamic_ && t == 0 && !last;
    const auto masks = std::make_shared<nn::MaskStream>(step.masks->fork());
    const nn::Work work = [=, this, input = input,
                           first = masks->taken()](const std::vector<at::Tensor>& given) {
      masks->go_to(first);
      Signal before;
      if (t > 0) before.x = given[0];
      if (takes_maps) before.normalized = given[1];
      at::Tensor maps;
      const Signal after = layer(t, before, input, {true, masks.get()}, maps, {});
      return gives_maps ? std::vector{after.x, after.normalized} : std::vector{after.x};
    };
    std::vector<at::Tensor> given;
    if (t > 0) given.push_back(signal.x);
    if (takes_maps) given.push_back(signal.normalized);
    const std::vector<at::Tensor> made = nn::recomputed(work, given, parameters());
    step.masks->go_to(masks->taken());
    return {made[0], gives_maps ? made[1] : signal.normalized};
  }

  void create_charges(const Options& options, std::int64_t layers) {
    if (options.is("q", kPerHyperedge)) {
      edge_charge_ =
          register_module(kEdgeCharge, std::make_shared<HyperedgeCharge>(f_, options.real("q_init")));
    } else if (options.is("q", "learn") || options.is("q", "learn-per-layer")) {
      const std::int64_t count = options.is("q", "learn") ? 1 : layers;
      charges_ = register_parameter("q", torch::full({count}, options.real("q_init")));
    } else {
      charge_ = options.real("q");
    }
  }

  at::Tensor charge_of(std::size_t layer, const at::Tensor& like) const {
    if (!charges_.defined()) return at::full({}, charge_, at::kDouble);
    return charges_[charges_.size(0) == 1 ? 0 : static_cast<std::int64_t>(layer)].to(like.scalar_type());
  }

  /// m_ue F_ue D_u^(-1/2), or m_ue F_ue (D_u + I)^(-1/2), of a sample without m_ue; by_degree_ takes the weighted degree times the identity
  /// for D_u, which it is where F^T F = I.
  at::Tensor normalized_maps(const at::Tensor& maps, const Input& input) const {
    const at::Tensor seen = by_degree_ ? at::ones({maps.size(0), 1}, maps.options()) : maps;
    at::Tensor degree =
        ops::repeated_degree(seen, input.edge_weight, counts(ops::Over::nodes, input), input.incidence);
    if (add_identity_) degree = degree.dim() == 3 ? degree + at::eye(d_, degree.options()) : degree + 1;
    const at::Tensor repeated =
        input.node_multiplicity.has_value() ? seen : ops::repeated_maps(seen, input.multiplicity);
    const at::Tensor normalized = ops::scale_maps(repeated, ops::inverse_sqrt(degree), input.incidence);
    if (!by_degree_) return normalized;
    return maps * (maps.dim() == 3 ? normalized.unsqueeze(2) : normalized);
  }

  Variant variant_;
  Target target_;
  std::int64_t d_;
  std::int64_t f_;
  double input_dropout_;
  bool dynamic_;
  bool by_degree_;
  bool trivial_;
  bool degrees_alone_;  // by_degree_, and D_u is not that
  bool add_identity_;
  bool copies_input_;
  bool recomputes_;
  bool given_;  // the maps see features of hyperedges that came with the data
  double charge_ = 0;
  torch::nn::Linear lift_{nullptr};
  std::vector<std::shared_ptr<DshnLayer>> layers_;
  std::vector<std::shared_ptr<MapPredictor>> phi_;
  std::shared_ptr<nn::Classifier> classifier_;
  at::Tensor charges_;  // learned, one or one per layer
  std::shared_ptr<HyperedgeCharge> edge_charge_;
};

OptionSpec memory_option() {
  OptionSpec memory = choice_option(kMemoryOption, "auto", {"auto", "keep", "recompute"},
                                    "of a training: keep what layers make on the way, or make it again for "
                                    "the gradient: the same numbers with "
                                    "less memory and more time; auto: recompute where keeping would not fit");
  memory.search = {};
  return memory;
}

std::vector<OptionSpec> dshn_options() {
  OptionSpec q = real_option("q", 0.25, -0.5, 0.5, {"0", "0.05", "0.1", "0.15", "0.2", "0.25"},
                             "charge: how much direction counts; 0 forgets it");
  q.words = {"learn", "learn-per-layer", kPerHyperedge};
  OptionSpec dynamic = flag_option("dynamic_sheaf", true, "predict new maps at each layer, instead of once");
  dynamic.idle_when = {kNothingPredicted, "layers=1"};
  OptionSpec normalisation = choice_option("normalisation", "block", {"block", "degree"},
                                           "by D_u = sum of F^T F, or by the degree alone");
  normalisation.idle_when = {kNothingPredicted, "maps=orthogonal"};  // whose F^T F is the identity
  OptionSpec imaginary =
      choice_option("input_imaginary", "zero", {"zero", "copy"},
                    "imaginary part of the lifted features: 0, or a copy of the real part");
  imaginary.idle_when = {"q=0"};
  OptionSpec input_dropout =
      real_option("input_dropout", 0, 0, 0.95, {},
                  "dropout of the input features; auto: 0.5 where they have 8 columns or more");
  input_dropout.words = {"auto"};
  input_dropout.default_value = "auto";
  std::vector<OptionSpec> options{
      integer_option("d", 4, 1, 16, {"1", "2", "3", "4", "5", "6"}, "stalk dimension"),
      integer_option("layers", 2, 1, 32, {"1", "2", "3", "4", "5"}, "convolutional layers"),
      integer_option("hidden_width", 64, 1, 4096, {"64", "128", "256", "512"},
                     "channels per stalk component"),
      integer_option("classifier_width", 64, 1, 4096, {"64", "128", "256"}, "hidden width of the classifier"),
      q,
      real_option("q_init", 0.25, -0.5, 0.5, {}, "where a learned charge starts"),
      real_option("dropout", 0.5, 0, 0.95, {"0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9"},
                  "dropout after every layer and in the classifier"),
      input_dropout,
      flag_option("left_projection", true, "W1: a learned d x d matrix along the stalk"),
      flag_option("residual", true, "add a layer's input before its activation"),
      choice_option("layer_norm", "none", {"none", "input", "output"},
                    "complex layer normalisation of what a layer is given, or of what it has diffused"),
      flag_option("add_identity", false, "normalise by D_V + I instead of D_V"),
      normalisation,
      imaginary,
      flag_option("last_activation", true, "the activation after the last layer too"),
      memory_option(),
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
