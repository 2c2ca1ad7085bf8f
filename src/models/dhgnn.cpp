// DHGNN: a symmetrised random walk from tails to heads (Ma, Zhao and Yang, AISTATS 2024).
#include <fmt/format.h>
#include <torch/torch.h>

#include "dshn/base/error.hpp"
#include "dshn/models/registry.hpp"
#include "dshn/nn/linear.hpp"
#include "models/common_options.hpp"
#include "models/convolution.hpp"
#include "models/tail_head_walk.hpp"

namespace dshn::models {
namespace {

/// Where the first signal comes from.
enum class Start : std::uint8_t { features, table };

/// E^(k+1) = A E^k W + b without activation; the classifier sees [E^0 || norm(E^1) || norm(E^2) || ...].
class Dhgnn : public Model {
 public:
  Dhgnn(const Options& options, const Sizes& sizes, Start start)
      : sizes_(sizes),
        inputs_(start == Start::table && options.integer("embedding_width") > 0
                    ? options.integer("embedding_width")
                    : sizes.features),
        width_(options.integer("hidden_width")),
        dropout_(options.real("message_dropout")),
        uniform_(options.is("variant", "authors")),
        self_loops_(options.flag("self_loops")),
        teleport_(options.real("teleport")) {
    if (start == Start::table) {
      table_ =
          register_parameter("table", torch::nn::init::xavier_uniform_(torch::empty({sizes.nodes, inputs_})));
    }
    const std::int64_t layers = options.integer("layers");
    for (std::int64_t t = 0; t < layers; ++t) {
      torch::nn::Linear linear(t == 0 ? inputs_ : width_, width_);
      const torch::NoGradGuard no_grad;
      torch::nn::init::xavier_uniform_(linear->weight);
      linears_.push_back(register_module("linear" + std::to_string(t), linear));
    }
    classifier_ = register_module(
        "classifier",
        std::make_shared<nn::Classifier>(inputs_ + layers * width_, options.integer("classifier_width"),
                                         sizes.classes, options.real("dropout")));
  }

  Input prepare(const Input& input) const override {
    Input prepared = prepared_input(input, self_loops_);
    const TailHeadWalk walk(prepared);
    const SymmetricWalk symmetric = walk.symmetric(uniform_ ? walk.uniform() : walk.stationary(teleport_));
    prepared.derived["leave"] = symmetric.leave.to(input.x.scalar_type());
    prepared.derived["enter"] = symmetric.enter.to(input.x.scalar_type());
    if (!table_.defined()) prepared.derived["x"] = input.x.dense();
    return prepared;
  }

  at::Tensor represent(const Input& input, const nn::Step& step) override {
    const at::Tensor start = table_.defined() ? table_for(input) : input.derived.at("x");
    // Entries of A are sums over hyperedges and never exist; dropping the walk's steps stands for dropping
    // them.
    const SymmetricWalk walk{step.drop(input.derived.at("leave"), dropout_, nn::Rows::incidences),
                             step.drop(input.derived.at("enter"), dropout_, nn::Rows::incidences)};
    std::vector<at::Tensor> parts{start};
    at::Tensor x = start;
    for (torch::nn::Linear& linear : linears_) {
      // (A E) W = A (E W): the narrower of the two is propagated.
      x = x.size(1) > width_ ? walk.apply(nn::linear_rows(x, linear->weight), input.incidence) + linear->bias
                             : nn::linear_rows(walk.apply(x, input.incidence), linear->weight, linear->bias);
      x = step.drop(x, dropout_, nn::Rows::nodes);
      parts.push_back(x / x.norm(2, 1, /*keepdim=*/true).clamp_min(kLeastNorm));
    }
    return classifier_->hidden(rows_of_target(at::cat(parts, 1), input, sizes_), target_rows(sizes_), step);
  }

  at::Tensor scores(const at::Tensor& rows) override { return classifier_->scores(rows); }

  std::string needs_whole() const override {
    return "its random walk is symmetrised by where it stays in all of the hypergraph";
  }

 private:
  static constexpr double kLeastNorm = 1e-12;

  at::Tensor table_for(const Input& input) const {
    if (table_.size(0) == all_nodes(input)) return rows_here(table_, ops::Over::nodes, input);
    throw UsageError(
        fmt::format("dhgnn-emb: the embeddings belong to the {} nodes the model was made for; this "
                    "hypergraph has {}: train dhgnn, which uses features, to apply it elsewhere",
                    table_.size(0), all_nodes(input)));
  }

  Sizes sizes_;
  std::int64_t inputs_;  // columns of the first signal
  std::int64_t width_;
  double dropout_;
  bool uniform_;
  bool self_loops_;
  double teleport_;
  at::Tensor table_;
  std::vector<torch::nn::Linear> linears_;
  std::shared_ptr<nn::Classifier> classifier_;
};

std::vector<OptionSpec> dhgnn_options() {
  return {integer_option("layers", 2, 1, 32, {"2", "4", "8"}, "propagations"),
          hidden_width_option(),
          classifier_width_option(),
          dropout_option(0.5, "dropout in the classifier"),
          real_option("message_dropout", 0.1, 0, 0.95, {},
                      "dropout of the walk's steps and of every propagated signal"),
          real_option("teleport", 0.1, 1e-3, 0.999, {},
                      "probability of a jump in the walk whose stationary distribution is taken"),
          self_loops_option(),
          variant_option("where the stationary distribution comes out uniform")};
}

}  // namespace

ModelEntry dhgnn_entry() {
  return {"dhgnn", "DHGNN", "Symmetrised random walk from tails to heads, on the features", dhgnn_options(),
          [](const Options& options, const Sizes& sizes) -> std::shared_ptr<Model> {
            return std::make_shared<Dhgnn>(options, sizes, Start::features);
          }};
}

ModelEntry dhgnn_emb_entry() {
  std::vector<OptionSpec> specs = dhgnn_options();
  specs.push_back(integer_option("embedding_width", 0, 0, 4096, {"0", "64", "128"},
                                 "columns of the table; 0: as many as there are features"));
  return {"dhgnn-emb", "DHGNN (w/ emb.)", "DHGNN on a learned table of node embeddings instead of features",
          std::move(specs), [](const Options& options, const Sizes& sizes) -> std::shared_ptr<Model> {
            return std::make_shared<Dhgnn>(options, sizes, Start::table);
          }};
}

}  // namespace dshn::models
