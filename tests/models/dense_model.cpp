#include "models/dense_model.hpp"

#include <torch/torch.h>

#include "dshn/hypergraph/builder.hpp"
#include "dshn/hypergraph/generators.hpp"

namespace dshn::models::test {
namespace {

Hypergraph with_weights(const Hypergraph& hypergraph) {
  std::vector<Index> edges;
  std::vector<Role> roles;
  HypergraphExtras extras;
  for (Index e = 0; e < hypergraph.edge_count(); ++e) {
    extras.edge_weights.push_back(0.5 + 0.25 * e);
    for (Offset i = hypergraph.edge_ptr()[e]; i < hypergraph.edge_ptr()[e + 1]; ++i) {
      edges.push_back(e);
      roles.push_back(hypergraph.role(e, i));
    }
  }
  return {hypergraph.node_count(), hypergraph.edge_count(),
          IncidenceArrays{edges, hypergraph.member_nodes(), roles}, OnConflict::error, std::move(extras)};
}

}  // namespace

DenseIncidence::DenseIncidence(const Hypergraph& hypergraph)
    : tails(torch::zeros({hypergraph.node_count(), hypergraph.edge_count()}, torch::kDouble)),
      heads(torch::zeros_like(tails)),
      weights(torch::ones({hypergraph.edge_count()}, torch::kDouble)) {
  for (Index e = 0; e < hypergraph.edge_count(); ++e) {
    weights[e] = hypergraph.weight(e);
    for (Offset i = hypergraph.edge_ptr()[e]; i < hypergraph.edge_ptr()[e + 1]; ++i) {
      at::Tensor& side = hypergraph.role(e, i) == Role::tail ? tails : heads;
      side[hypergraph.member_nodes()[i]][e] = hypergraph.incidence_weight(i);
    }
  }
  members = tails + heads;
}

Hypergraph with_incidence_weights(const Hypergraph& hypergraph) {
  std::vector<Index> edges;
  std::vector<Role> roles;
  std::vector<double> weights;
  for (Index e = 0; e < hypergraph.edge_count(); ++e) {
    for (Offset i = hypergraph.edge_ptr()[e]; i < hypergraph.edge_ptr()[e + 1]; ++i) {
      edges.push_back(e);
      roles.push_back(hypergraph.role(e, i));
      weights.push_back(0.5 + 0.25 * static_cast<double>(3 * i % 7));
    }
  }
  HypergraphExtras extras;
  extras.edge_weights = {hypergraph.edge_weights().begin(), hypergraph.edge_weights().end()};
  return {hypergraph.node_count(), hypergraph.edge_count(),
          IncidenceArrays{edges, hypergraph.member_nodes(), roles, weights}, OnConflict::error,
          std::move(extras)};
}

std::vector<Hypergraph> random_hypergraphs() {
  std::vector<Hypergraph> result;
  for (const double directed : {1.0, 0.0, 0.5}) {
    RandomOptions options;
    options.nodes = 9;
    options.hyperedges = 6;
    options.mean_size = 3;
    options.directed_share = directed;
    options.seed = 40 + result.size();
    result.push_back(random_hypergraph(options));
  }
  result.push_back(with_weights(result.back()));
  result.push_back(with_incidence_weights(result.back()));
  return result;
}

Hypergraph six_nodes() {
  HypergraphBuilder builder;
  for (int v = 0; v < 6; ++v) builder.node(Name::integer(v));
  builder.incidence(Name::integer(0), Name::integer(0), Role::tail);
  builder.incidence(Name::integer(0), Name::integer(1), Role::tail);
  builder.incidence(Name::integer(0), Name::integer(2), Role::head);
  builder.incidence(Name::integer(1), Name::integer(2), Role::tail);
  builder.incidence(Name::integer(1), Name::integer(3), Role::tail);
  builder.incidence(Name::integer(2), Name::integer(4), Role::tail);
  builder.incidence(Name::integer(2), Name::integer(3), Role::head);
  return builder.build();
}

Input one_feature(const Hypergraph& hypergraph, const std::vector<double>& x) {
  return {hypergraph, torch::tensor(x, torch::kDouble).unsqueeze(1), {}};
}

std::shared_ptr<Model> one_feature_model(const std::string& name, const Assignments& set,
                                         const Input& input) {
  const ModelEntry& entry = find_model(name);
  std::shared_ptr<Model> model =
      entry.create(Options(entry.options, set), {input.incidence.nodes(), input.incidence.edges(), 1, 0, 2});
  model->to(at::kDouble);
  return model;
}

at::Tensor parameter(const Model& model, const std::string& name) {
  return model.named_parameters()[name].detach();
}

void set_parameter(Model& model, const std::string& name, const std::vector<double>& values) {
  const torch::NoGradGuard no_grad;
  at::Tensor to = model.named_parameters()[name];
  to.copy_(torch::tensor(values, torch::kDouble).view(to.sizes()));
}

at::Tensor dense_linear(const at::Tensor& x, const Model& model, const std::string& module) {
  return torch::linear(x, parameter(model, module + ".weight"), parameter(model, module + ".bias"));
}

at::Tensor dense_norm(const at::Tensor& x, const Model& model, const std::string& module) {
  return torch::layer_norm(x, {x.size(-1)}, parameter(model, module + ".weight"),
                           parameter(model, module + ".bias"));
}

at::Tensor dense_mlp(at::Tensor x, const Model& model, const std::string& module, int layers,
                     bool input_norm) {
  if (input_norm && layers > 0) x = dense_norm(x, model, module + ".input_norm");
  for (int i = 0; i < layers; ++i) {
    x = dense_linear(x, model, module + ".linear" + std::to_string(i));
    if (i + 1 < layers) x = dense_norm(torch::relu(x), model, module + ".norm" + std::to_string(i));
  }
  return x;
}

at::Tensor dense_classifier(const at::Tensor& rows, const Model& model) {
  const at::Tensor hidden = torch::relu(dense_linear(rows, model, "classifier.first"));
  return dense_linear(dense_norm(hidden, model, "classifier.norm"), model, "classifier.second");
}

at::Tensor dense_target(const at::Tensor& rows, const Hypergraph& hypergraph, Target target) {
  return target == Target::nodes ? rows : torch::mm(DenseIncidence(hypergraph).members.t(), rows);
}

}  // namespace dshn::models::test
