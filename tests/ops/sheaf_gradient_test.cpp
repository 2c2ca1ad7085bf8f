// Finite differences in double for every gradient of the sheaf operators.
#include "dshn/ops/rectify.hpp"
#include "dshn/ops/sheaf.hpp"
#include "ops/support.hpp"

namespace dshn::ops::test {
namespace {

struct Inputs {
  std::vector<at::Tensor> tensors;
  bool charged, weighted;

  explicit Inputs(const SheafCase& sample)
      : tensors{sample.x, sample.maps}, charged(sample.q.has_value()), weighted(sample.weight.has_value()) {
    if (charged) tensors.push_back(*sample.q);
    if (weighted) tensors.push_back(*sample.weight);
  }
  OptionalTensor q(const std::vector<at::Tensor>& in) const {
    return charged ? OptionalTensor(in[2]) : OptionalTensor();
  }
  OptionalTensor weight(const std::vector<at::Tensor>& in) const {
    return weighted ? OptionalTensor(in[charged ? 3 : 2]) : OptionalTensor();
  }
};

/// Few channels and every combination of maps, planes and weights.
void for_each_tiny_case(const std::function<void(const SheafCase&)>& check) {
  Random random(31);
  for (const Maps kind : {Maps::scalar, Maps::diagonal, Maps::general}) {
    for (const std::int64_t d : {1, 2, 3, 7}) {
      for (const std::int64_t planes : {1, 2}) {
        for (const bool weighted : {false, true}) {
          const SheafCase sample(random, random_small(random, weighted), d, d == 7 ? 1 : 3, planes, kind);
          SCOPED_TRACE(sample.text);
          check(sample);
        }
      }
    }
  }
}

TEST(SheafSignless, GradientsOfSignalMapsChargeAndWeight) {
  for_each_tiny_case([](const SheafCase& sample) {
    const Inputs inputs(sample);
    expect_gradients(
        [&](const std::vector<at::Tensor>& in) {
          return sheaf_signless(in[0], in[1], inputs.q(in), inputs.weight(in), sample.incidence);
        },
        inputs.tensors);
  });
}

/// In one operator, with every gradient, what the two it stands for give.
TEST(SheafRectified, IsTheSignlessOperatorThenRectify) {
  for_each_tiny_case([](const SheafCase& sample) {
    const Inputs inputs(sample);
    Random random(40);
    const MaskKey key{at::full({1}, 77, at::kLong), 5};
    for (const bool skips : {false, true}) {
      std::vector<at::Tensor> tensors = inputs.tensors;
      if (skips) tensors.push_back(random_tensor(random, sample.x.sizes()));
      const auto skip = [&](const std::vector<at::Tensor>& in) {
        return skips ? OptionalTensor(in.back()) : OptionalTensor();
      };
      const auto one = with_gradients(
          [&](const std::vector<at::Tensor>& in) {
            return sheaf_rectified(in[0], in[1], inputs.q(in), inputs.weight(in), skip(in), 0.4, key,
                                   sample.incidence);
          },
          tensors);
      const auto two = with_gradients(
          [&](const std::vector<at::Tensor>& in) {
            const at::Tensor y =
                sheaf_signless(in[0], in[1], inputs.q(in), inputs.weight(in), sample.incidence);
            return rectify(y, skip(in), 0.4, key);
          },
          tensors);
      for (std::size_t i = 0; i < one.size(); ++i)
        EXPECT_TRUE(at::equal(one[i], two[i])) << skips << ' ' << i;
    }
  });
}

TEST(SheafSignless, GradientOfAChargeThatIsZero) {
  Random random(32);
  const SheafCase sample(random, random_small(random, false), 2, 3, 2, Maps::diagonal);
  expect_gradients(
      [&](const std::vector<at::Tensor>& in) {
        return sheaf_signless(sample.x, sample.maps, in[0], {}, sample.incidence);
      },
      {at::zeros({}, at::kDouble)});
}

/// Each gradient alone: what is not asked for is not computed, and must not disturb the others.
TEST(SheafSignless, EachGradientAloneIsTheSame) {
  Random random(33);
  const SheafCase sample(random, random_small(random, true), 3, 4, 2, Maps::general);
  const Inputs inputs(sample);
  const auto call = [&](const std::vector<at::Tensor>& in) {
    return sheaf_signless(in[0], in[1], inputs.q(in), inputs.weight(in), sample.incidence);
  };
  const std::vector<at::Tensor> all = with_gradients(call, inputs.tensors);
  for (std::size_t which = 0; which < inputs.tensors.size(); ++which) {
    const std::vector<at::Tensor> alone = with_gradients(
        [&](const std::vector<at::Tensor>& in) {
          std::vector<at::Tensor> arguments = inputs.tensors;
          arguments[which] = in[0];
          return call(arguments);
        },
        {inputs.tensors[which]});
    EXPECT_TRUE(at::equal(alone[1], all[which + 1])) << "input " << which;
  }
}

TEST(DegreeBlocks, GradientsOfMapsAndWeight) {
  for_each_tiny_case([](const SheafCase& sample) {
    const Inputs inputs(sample);
    std::vector<at::Tensor> tensors{sample.maps};
    if (inputs.weighted) tensors.push_back(*sample.weight);
    expect_gradients(
        [&](const std::vector<at::Tensor>& in) {
          return degree_blocks(in[0], in.size() > 1 ? OptionalTensor(in[1]) : OptionalTensor(),
                               sample.incidence);
        },
        tensors);
  });
}

at::Tensor root_of_symmetric_part(const std::vector<at::Tensor>& in) {
  return inverse_sqrt(0.5 * (in[0] + in[0].transpose(1, 2)));
}

TEST(InverseSqrt, GradientOfGeneralBlocks) {
  Random random(34);
  for (const std::int64_t d : {1, 2, 4, 7}) {
    const at::Tensor a = random_tensor(random, {3, d, d});
    expect_gradients(root_of_symmetric_part,
                     {at::matmul(a, a.transpose(1, 2)) + 0.3 * at::eye(d, at::kDouble)});
  }
}

TEST(InverseSqrt, GradientWithRepeatedEigenvalues) {
  Random random(35);
  const at::Tensor same = 1.7 * at::eye(4, at::kDouble).repeat({2, 1, 1});
  expect_gradients(root_of_symmetric_part, {same});
  // Two pairs in a basis of random directions.
  const at::Tensor basis = std::get<0>(at::linalg_qr(random_tensor(random, {4, 4})));
  const at::Tensor values = torch::tensor({0.5, 0.5, 2.0, 2.0}, torch::kDouble);
  expect_gradients(root_of_symmetric_part, {at::matmul(basis * values, basis.t()).unsqueeze(0)});
}

TEST(InverseSqrt, GradientOfDiagonalBlocks) {
  Random random(36);
  expect_gradients([](const std::vector<at::Tensor>& in) { return inverse_sqrt(in[0]); },
                   {random_tensor(random, {5, 3}).square() + 0.2});
}

TEST(InverseSqrt, JudgesEachEntryOfADiagonalByItself) {
  const at::Tensor blocks = torch::tensor({1.0, 1e-12, 1e-31, 0.0}, torch::kDouble).view({1, 4});
  const std::vector<at::Tensor> result =
      with_gradients([](const std::vector<at::Tensor>& in) { return inverse_sqrt(in[0]); }, {blocks});
  const at::Tensor expected = torch::tensor({1.0, 1e6, 0.0, 0.0}, torch::kDouble).view({1, 4});
  EXPECT_TRUE(at::allclose(result[0], expected, 1e-12, 0));
  EXPECT_TRUE(at::equal(result[1] == 0, expected == 0)) << "and what was inverted has a gradient";
}

/// Null directions are held fixed: they take no part in the gradient.
TEST(InverseSqrt, GradientIsZeroOnNullDirections) {
  const at::Tensor blocks = torch::tensor({4.0, 0.0, 0.0, 0.0}, torch::kDouble).view({1, 2, 2});
  const std::vector<at::Tensor> result =
      with_gradients([](const std::vector<at::Tensor>& in) { return inverse_sqrt(in[0]); }, {blocks});
  EXPECT_NE(result[1][0][0][0].item<double>(), 0.0);
  EXPECT_EQ(result[1][0][1][1].item<double>(), 0.0);
  EXPECT_EQ(result[1][0][0][1].item<double>(), 0.0);
}

TEST(ScaleMaps, GradientsOfMapsAndBlocks) {
  for_each_tiny_case([](const SheafCase& sample) {
    Random random(37);
    std::vector<std::int64_t> shape = sample.maps.sizes().vec();
    shape[0] = sample.hypergraph.node_count();
    expect_gradients(
        [&](const std::vector<at::Tensor>& in) { return scale_maps(in[0], in[1], sample.incidence); },
        {sample.maps, random_tensor(random, shape)});
  });
}

TEST(SheafDiffuse, GradientsOfSignalMapsChargeAndWeight) {
  Random random(38);
  for (const Maps kind : {Maps::scalar, Maps::diagonal, Maps::general}) {
    for (int repetition = 0; repetition < 6; ++repetition) {
      SheafCase sample(random, random_small(random, repetition % 2 == 0), 1 + repetition % 3, 2,
                       1 + repetition % 2, kind);
      SCOPED_TRACE(sample.text);
      // Every D_u well away from singular: differences across the threshold would not be derivatives.
      sample.maps = sample.maps * 0.3 +
                    (kind == Maps::general ? at::eye(sample.d, at::kDouble) : at::ones({1}, at::kDouble));
      const Inputs inputs(sample);
      expect_gradients(
          [&](const std::vector<at::Tensor>& in) {
            return sheaf_diffuse(in[0], in[1], inputs.q(in), inputs.weight(in), sample.incidence);
          },
          inputs.tensors);
    }
  }
}

TEST(SheafOperators, RefuseSecondDerivatives) {
  Random random(39);
  const SheafCase sample(random, random_small(random, false), 2, 3, 2, Maps::general);
  const Incidence& incidence = sample.incidence;
  expect_double_backward_refused(
      [&](const std::vector<at::Tensor>& in) { return sheaf_signless(in[0], in[1], {}, {}, incidence); },
      {sample.x, sample.maps}, "sheaf_signless");
  expect_double_backward_refused(
      [&](const std::vector<at::Tensor>& in) { return degree_blocks(in[0], {}, incidence); }, {sample.maps},
      "degree_blocks");
  expect_double_backward_refused([&](const std::vector<at::Tensor>& in) { return inverse_sqrt(in[0]); },
                                 {at::eye(2, at::kDouble).unsqueeze(0)}, "inverse_sqrt");
  expect_double_backward_refused(
      [&](const std::vector<at::Tensor>& in) {
        return scale_maps(in[0], degree_blocks(sample.maps, {}, incidence), incidence);
      },
      {sample.maps}, "scale_maps");
}

}  // namespace
}  // namespace dshn::ops::test
