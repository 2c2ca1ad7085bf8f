// DSHN with memory=recompute: the same numbers, to the last bit, as where all is kept.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include "models/small_model.hpp"

namespace dshn::models {
namespace {

struct Trained {
  at::Tensor logits;
  std::map<std::string, at::Tensor> gradients;
};

/// One training step of a model that is made of a fixed seed.
Trained trained(const std::string& name, Assignments set, const char* memory, Target target) {
  const Assignments small{{"hidden_width", "3"}, {"classifier_width", "5"}, {"layers", "3"}, {"d", "2"}};
  set.insert(small.begin(), small.end());
  set["memory"] = memory;
  const Input input = test::input_of(test::small_hypergraph()).to(at::kCPU, at::kFloat);
  const std::shared_ptr<Model> model = test::new_model(name, set, input, target);
  model->to(at::kFloat);
  model->train();
  nn::MaskStream masks(5);
  masks.start(1);
  Trained result;
  result.logits = model->forward(model->prepare(input), {true, &masks});
  torch::manual_seed(11);
  (result.logits * torch::randn_like(result.logits)).sum().backward();
  for (const auto& entry : model->named_parameters())
    if (entry.value().grad().defined()) result.gradients[entry.key()] = entry.value().grad();
  return result;
}

class DshnMemory : public testing::TestWithParam<Assignments> {};

TEST_P(DshnMemory, RecomputeGivesTheBitsOfKeep) {
  for (const Target target : {Target::nodes, Target::hyperedges}) {
    for (const char* name : {"dshn", "dshn-light"}) {
      const Trained kept = trained(name, GetParam(), "keep", target);
      const Trained again = trained(name, GetParam(), "recompute", target);
      EXPECT_TRUE(at::equal(kept.logits, again.logits)) << name;
      ASSERT_EQ(kept.gradients.size(), again.gradients.size()) << name;
      for (const auto& [parameter, gradient] : kept.gradients)
        EXPECT_TRUE(at::equal(gradient, again.gradients.at(parameter))) << name << ' ' << parameter;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    EveryWay, DshnMemory,
    testing::Values(Assignments{}, Assignments{{"dropout", "0"}}, Assignments{{"dynamic_sheaf", "false"}},
                    Assignments{{"maps", "trivial"}}, Assignments{{"sheaf_dropout", "true"}},
                    Assignments{{"maps", "general"}, {"layer_norm", "output"}}, Assignments{{"q", "learn"}},
                    Assignments{{"q", "learn-per-layer"}, {"residual", "false"}},
                    Assignments{{"q", "learn-per-hyperedge"}}, Assignments{{"q", "0"}},
                    Assignments{{"input_dropout", "0.3"}, {"input_imaginary", "copy"}},
                    Assignments{{"layer_norm", "input"}, {"last_activation", "false"}}));

TEST(DshnMemory, RecomputeFollowsFeaturesThatWantAGradient) {
  const Input plain = test::input_of(test::small_hypergraph());
  std::vector<at::Tensor> gradients;
  for (const char* memory : {"keep", "recompute"}) {
    Input input = plain;
    const at::Tensor x = plain.x.dense().clone().requires_grad_();
    input.x = x;
    const std::shared_ptr<Model> model = test::new_model("dshn", {{"memory", memory}}, plain);
    nn::MaskStream masks(5);
    masks.start(1);
    model->forward(model->prepare(input), {true, &masks}).square().sum().backward();
    ASSERT_TRUE(x.grad().defined()) << memory;
    gradients.push_back(x.grad());
  }
  EXPECT_TRUE(at::equal(gradients[0], gradients[1]));
}

}  // namespace
}  // namespace dshn::models
