#include "models/small_model.hpp"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include "dshn/hypergraph/builder.hpp"

namespace dshn::models::test {

Hypergraph small_hypergraph() {
  HypergraphBuilder builder;
  for (int v = 0; v < 7; ++v) builder.node(Name::integer(v));
  const auto add = [&](int e, const std::vector<int>& tail, const std::vector<int>& head) {
    for (const int v : tail) builder.incidence(Name::integer(e), Name::integer(v), Role::tail);
    for (const int v : head) builder.incidence(Name::integer(e), Name::integer(v), Role::head);
  };
  add(0, {0, 1}, {2});
  add(1, {2}, {3, 4, 5});
  add(2, {0, 3, 5}, {});
  add(3, {4}, {});
  add(4, {1, 5}, {0, 4});
  return builder.build();
}

Input input_of(const Hypergraph& hypergraph, bool with_edge_features) {
  torch::manual_seed(11);
  const at::Tensor x = torch::randn({hypergraph.node_count(), kFeatures}, torch::kDouble);
  const at::Tensor edge_x = torch::randn({hypergraph.edge_count(), 2}, torch::kDouble);
  return Input(hypergraph, x, with_edge_features ? edge_x : at::Tensor()).to(at::kCPU, at::kDouble);
}

std::shared_ptr<Model> new_model(const std::string& name, const Assignments& set, const Input& input,
                                 Target target) {
  const ModelEntry& entry = find_model(name);
  const Sizes sizes{input.incidence.nodes(),
                    input.incidence.edges(),
                    input.x.size(1),
                    input.edge_x.defined() ? input.edge_x.size(1) : 0,
                    kClasses,
                    target};
  torch::manual_seed(5);
  std::shared_ptr<Model> model = entry.create(Options(entry.options, set), sizes);
  model->to(at::kDouble);
  return model;
}

at::Tensor logits(Model& model, const Input& input) {
  const torch::NoGradGuard no_grad;
  return model.forward(model.prepare(input), {false, nullptr});
}

double distance(const at::Tensor& a, const at::Tensor& b) {
  return (a - b).abs().max().item<double>();
}

at::Tensor probe(Model& model, const Input& input) {
  torch::manual_seed(3);
  const at::Tensor out = model.forward(model.prepare(input), {false, nullptr});
  return (out * torch::randn_like(out)).sum();
}

void expect_true_gradients(Model& model, const Input& input) {
  {
    // Away from the kinks of ReLU: a zero bias puts isolated nodes on one.
    const torch::NoGradGuard no_grad;
    for (at::Tensor& parameter : model.parameters()) parameter.add_(0.05 * torch::randn_like(parameter));
  }
  probe(model, input).backward();
  for (auto& entry : model.named_parameters()) {
    at::Tensor flat = entry.value().detach().view({-1});
    const at::Tensor grad = entry.value().grad();
    ASSERT_TRUE(grad.defined()) << entry.key();
    for (std::int64_t i = 0; i < flat.numel(); ++i) {
      const torch::NoGradGuard no_grad;
      const double value = flat[i].item<double>();
      constexpr double kStep = 1e-6;
      flat[i] = value + kStep;
      const double up = probe(model, input).item<double>();
      flat[i] = value - kStep;
      const double down = probe(model, input).item<double>();
      flat[i] = value;
      EXPECT_NEAR(grad.view({-1})[i].item<double>(), (up - down) / (2 * kStep), 2e-6)
          << entry.key() << " entry " << i;
    }
  }
}

std::int64_t default_parameters(const std::string& name, std::int64_t features, std::int64_t classes,
                                std::int64_t nodes, const Assignments& set) {
  const ModelEntry& entry = find_model(name);
  const std::shared_ptr<Model> model =
      entry.create(Options(entry.options, set), {nodes, 10, features, 0, classes});
  std::int64_t count = 0;
  for (const at::Tensor& parameter : model->parameters()) count += parameter.numel();
  return count;
}

}  // namespace dshn::models::test
