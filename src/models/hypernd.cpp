// HyperND: nonlinear feature diffusion on hypergraphs (Tudisco et al., 2021; Prokopchik et al., ICML 2022).
#include <fmt/format.h>
#include <torch/torch.h>

#include <cmath>

#include "dshn/base/error.hpp"
#include "dshn/models/registry.hpp"
#include "dshn/nn/elementwise.hpp"
#include "models/common_options.hpp"
#include "models/convolution.hpp"

namespace dshn::models {
namespace {

/// Below this relative change the diffusion has arrived.
constexpr double kHyperNdTolerance = 1e-4;

/// Euclidean norm of all entries, summed in a fixed order: the number of steps must not depend on threads.
double euclidean_norm(const at::Tensor& rows, const Input& input) {
  const at::Tensor squares = rows.square().sum(1).to(at::kCPU, at::kDouble).contiguous();
  double sum = 0;
  for (std::int64_t i = 0; i < squares.numel(); ++i) sum += squares.data_ptr<double>()[i];
  return std::sqrt(sum_over_parts(sum, input));
}

/// Each hyperedge counts once, whatever parts have it.
at::Tensor owned_edges(const at::Tensor& rows, const Input& input) {
  const ops::Exchange* exchange = input.incidence.exchange();
  return exchange ? rows.index({exchange->whole().edge_owned}) : rows;
}

/// F <- G / phi(G) with G = (1 - a) E2V(V2E(F)) + a U, from F = U = X / phi(X), where
///   V2E(Z)_e = (sum_v (z_v / sqrt(deg_v))^p / delta_e)^(1/p),  E2V(M)_v = sum_e m_e / sqrt(deg_v),
///   phi(Z) = 2 ||V2E(Z)||.
/// Nothing is learned in it, so it runs once, in prepare(); the authors' default takes means for both sums.
class HyperNd : public Model {
 public:
  HyperNd(const Options& options, const Sizes& sizes)
      : sizes_(sizes),
        classifier_width_(options.integer("classifier_width")),
        power_(options.real("p")),
        restart_(options.real("restart")),
        steps_(options.integer("steps")),
        self_loops_(options.flag("self_loops")),
        means_(options.is("variant", "authors")),
        classifier_(register_module(
            "classifier", std::make_shared<nn::Classifier>(sizes.features, classifier_width_, sizes.classes,
                                                           options.real("dropout")))) {}

  Input prepare(const Input& input) const override {
    const at::Tensor x = input.x.dense();
    const bool negative = power_ != 1 && x.numel() > 0 && x.min().item<double>() < 0;
    if (sum_over_parts(negative ? 1 : 0, input) > 0) {
      throw UsageError(fmt::format(
          "model option p={}: powers other than 1 need features that are not negative; take p=1", power_));
    }
    Input prepared = prepared_input(input, self_loops_);
    prepared.derived["rows"] = rows_of_target(diffused(x, prepared), prepared, sizes_);
    return prepared;
  }

  at::Tensor represent(const Input& input, const nn::Step& step) override {
    return classifier_->hidden(input.derived.at("rows"), target_rows(sizes_), step);
  }

  at::Tensor scores(const at::Tensor& rows) override { return classifier_->scores(rows); }

  bool heeds_edge_weights() const override { return false; }
  std::string needs_whole() const override {
    return "it diffuses the features over all of the hypergraph, once";
  }

 private:
  at::Tensor diffused(at::Tensor f, const Input& input) const {
    const at::Tensor root = power_or_zero(node_degrees(input), -0.5);
    at::Tensor edges = normalised_edges(f, root, input);  // V2E(F), which phi(F) = 1 scales along with F
    const at::Tensor u = f;
    for (std::int64_t step = 0; step < steps_; ++step) {
      const at::Tensor mean =
          means_ ? mean_over(ops::Over::nodes, edges, input) : sum_over(ops::Over::nodes, edges, input);
      at::Tensor next = (1 - restart_) * scale_rows(mean, root) + restart_ * u;
      edges = normalised_edges(next, root, input);
      const double change = euclidean_norm(next - f, input) / euclidean_norm(next, input);
      f = next;
      if (change < kHyperNdTolerance) break;
    }
    return f;
  }

  /// Divides z by phi(z) and gives V2E of the quotient: V2E is homogeneous, so it is computed once.
  at::Tensor normalised_edges(at::Tensor& z, const at::Tensor& root, const Input& input) const {
    const at::Tensor scaled = scale_rows(z, root);
    const at::Tensor powers = power_ == 1 ? scaled : nn::pow(scaled, power_);
    at::Tensor edges = mean_over(ops::Over::edges, powers, input);
    if (means_) edges = scale_rows(edges, power_or_zero(edge_sizes(input), -1));
    if (power_ != 1) edges = nn::pow(edges, 1 / power_);
    const double phi = 2 * euclidean_norm(owned_edges(edges, input), input);
    if (!(phi > 0) || !std::isfinite(phi)) {
      throw InvalidInput(fmt::format(
          "the diffusion of HyperND cannot scale its features: their norm over the hyperedges is {}",
          phi / 2));
    }
    z = z / phi;
    return edges / phi;
  }

  Sizes sizes_;
  std::int64_t classifier_width_;
  double power_;
  double restart_;
  std::int64_t steps_;
  bool self_loops_;
  bool means_;
  std::shared_ptr<nn::Classifier> classifier_;
};

}  // namespace

ModelEntry hypernd_entry() {
  return {"hypernd",
          "HyperND",
          "Nonlinear diffusion of the features to a fixed point, once, then a classifier",
          {classifier_width_option(), dropout_option(0.5, "dropout in the classifier"),
           real_option("p", 1, 1, 64, {}, "power of the mean over a hyperedge's members"),
           real_option("restart", 0.5, 0, 1, {}, "share of the given features in every step"),
           integer_option("steps", 100, 1, 10000, {}, "steps of the diffusion at most"), self_loops_option(),
           variant_option("where both sums are means while the division by sizes stays")},
          [](const Options& options, const Sizes& sizes) -> std::shared_ptr<Model> {
            return std::make_shared<HyperNd>(options, sizes);
          }};
}

}  // namespace dshn::models
