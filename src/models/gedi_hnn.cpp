// GeDi-HNN: the Generalized Directed Laplacian of Fiorini et al., a complex incidence matrix with i on tails.
#include <torch/torch.h>

#include "dshn/models/registry.hpp"
#include "dshn/nn/complex.hpp"
#include "dshn/ops/multiplicity.hpp"
#include "dshn/ops/sheaf.hpp"
#include "models/common_options.hpp"
#include "models/message_passing.hpp"
#include "models/two_step_diffusion.hpp"

namespace dshn::models {
namespace {

/// out = X W0 + M X W1 + b, the bias on both planes. M = D^(-1/2) H delta^-1 H* D^(-1/2) is the directed
/// sheaf operator with trivial maps and a quarter as charge: conj(s) is i on tails and 1 on heads.
class GediConv : public torch::nn::Module {
 public:
  GediConv(std::int64_t inputs, std::int64_t outputs, bool authors) : authors_(authors) {
    const auto glorot = [&] { return torch::nn::init::xavier_uniform_(torch::empty({inputs, outputs})); };
    w0_ = register_parameter("w0", glorot());
    w1_ = register_parameter("w1", glorot());
    bias_ = register_parameter("bias", torch::zeros({outputs}));
  }

  /// x [n, 1, planes, inputs]; one plane stands for a real signal.
  at::Tensor forward(const at::Tensor& x, const Input& input) {
    return complex(nn::channel_linear(x, w0_)) + propagated(complex(nn::channel_linear(x, w1_)), input) +
           bias_;
  }

 private:
  static at::Tensor complex(const at::Tensor& x) {
    return x.size(2) == 2 ? x : at::cat({x, at::zeros_like(x)}, 2);
  }

  at::Tensor propagated(const at::Tensor& x, const Input& input) const {
    // The published code sums at the column's index: it applies the transpose, that is the conjugate.
    const at::Tensor charge = at::full({}, authors_ ? -0.25 : 0.25, at::kDouble);
    const at::Tensor& maps = input.derived.at("maps");
    const at::Tensor y =
        input.node_multiplicity.has_value()
            ? diffuse_in_two_steps(x, step_maps(maps, input), {.all = charge, .of_edges = {}}, input)
            : ops::sheaf_signless(x, maps, charge, input.repeated_weight, input.incidence);
    return authors_ ? y + x * input.derived.at("diagonal").view({-1, 1, 1, 1}) : y;
  }

  bool authors_;
  at::Tensor w0_;
  at::Tensor w1_;
  at::Tensor bias_;
};

class GediHnn : public Model {
 public:
  GediHnn(const Options& options, const Sizes& sizes)
      : sizes_(sizes),
        width_(options.integer("hidden_width")),
        dropout_(options.real("dropout")),
        authors_(options.is("variant", "authors")),
        twice_(options.is("imaginary_input", "features")) {
    for (std::int64_t t = 0; t < options.integer("layers"); ++t) {
      const std::int64_t inputs = t == 0 ? sizes.features : width_;
      convs_.push_back(
          register_module("conv" + std::to_string(t), std::make_shared<GediConv>(inputs, width_, authors_)));
    }
    classifier_ = register_module(
        "classifier", std::make_shared<nn::Classifier>(2 * width_, options.integer("classifier_width"),
                                                       sizes.classes, dropout_));
  }

  Input prepare(const Input& input) const override {
    const bool sampled = input.node_multiplicity.has_value();
    Input prepared = sampled ? for_two_steps(input) : input;
    prepared.derived["x"] = input.x.dense();
    const at::Tensor ones = at::ones({input.incidence.incidences(), 1}, input.x.options());
    const auto& at_node = counts(ops::Over::nodes, input);
    const at::Tensor degree = ops::repeated_degree(ones, input.edge_weight, at_node, input.incidence);
    // The authors have (deg + 1)^(-1/2) on both sides, and a diagonal that is divided by deg once more.
    const at::Tensor root = authors_ ? (degree + 1).rsqrt() : ops::inverse_sqrt(degree);
    prepared.derived["maps"] =
        ops::scale_maps(sampled ? ones : ops::repeated_maps(ones, input.multiplicity), root, input.incidence);
    if (!authors_) return prepared;
    const at::Tensor sizes = edge_sizes_or_one(input);
    const at::Tensor weight = input.edge_weight.has_value() ? *input.edge_weight : at::ones_like(sizes);
    const at::Tensor own = own_blocks(ones, weight / sizes, input);
    prepared.derived["diagonal"] =
        (own / (degree + 1) * (power_or_zero(degree, -1) - 1)).squeeze(1).to(input.x.scalar_type());
    return prepared;
  }

  at::Tensor represent(const Input& input, const nn::Step& step) override {
    at::Tensor x = input.derived.at("x").unsqueeze(1).unsqueeze(1);
    if (twice_) x = at::cat({x, x}, 2);
    for (std::size_t t = 0; t < convs_.size(); ++t) {
      const at::Tensor y = activation(convs_[t]->forward(x, input));
      x = t == 0 ? y : y + x;
    }
    const at::Tensor rows =
        rows_of_target(nn::unwind(step.drop(x, dropout_, nn::Rows::nodes)), input, sizes_);
    return classifier_->hidden(rows, target_rows(sizes_), step);
  }

  at::Tensor scores(const at::Tensor& rows) override { return classifier_->scores(rows); }

 private:
  /// Keeps entries with Re > 0 (paper) or Re >= 0 (authors).
  at::Tensor activation(const at::Tensor& x) const {
    return authors_ ? x * (x.narrow(2, 0, 1) >= 0) : nn::complex_relu(x);
  }

  Sizes sizes_;
  std::int64_t width_;
  double dropout_;
  bool authors_;
  bool twice_;
  std::vector<std::shared_ptr<GediConv>> convs_;
  std::shared_ptr<nn::Classifier> classifier_;
};

}  // namespace

ModelEntry gedi_hnn_entry() {
  OptionSpec imaginary = choice_option("imaginary_input", "zero", {"zero", "features"},
                                       "imaginary part of the input: nothing, or the features again");
  imaginary.search = {"zero"};
  return {"gedi-hnn",
          "GeDi-HNN",
          "Generalized directed Laplacian: complex diffusion with a phase of 90 degrees on tails",
          {integer_option("layers", 2, 1, 32, {"1", "2", "3"}, "convolutional layers"), hidden_width_option(),
           classifier_width_option(), imaginary, dropout_option(0.5, "dropout before and in the classifier"),
           variant_option("where degrees are one larger, the operator's diagonal is divided by the degree, "
                          "and entries with a zero real part pass the activation")},
          [](const Options& options, const Sizes& sizes) -> std::shared_ptr<Model> {
            return std::make_shared<GediHnn>(options, sizes);
          }};
}

}  // namespace dshn::models
