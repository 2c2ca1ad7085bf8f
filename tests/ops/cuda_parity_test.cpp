// Every operator on the GPU against the CPU kernels, with all gradients, on the same inputs.
#include <algorithm>
#include <array>
#include <functional>

#include "dshn/hypergraph/generators.hpp"
#include "dshn/ops/dropout.hpp"
#include "dshn/ops/rectify.hpp"
#include "dshn/ops/segment.hpp"
#include "dshn/ops/sheaf.hpp"
#include "dshn/ops/stalk.hpp"
#include "dshn/ops/whiten.hpp"
#include "ops/support.hpp"

namespace dshn::ops::test {
namespace {

/// An operator with the inputs it is differentiated in, in float64 on the CPU.
struct DeviceCase {
  std::string name;
  std::function<at::Tensor(const std::vector<at::Tensor>&, const Incidence&)> call;
  std::vector<at::Tensor> inputs;
};
using In = const std::vector<at::Tensor>&;

/// The same numbers for both devices.
at::Tensor incoming(const at::Tensor& y) {
  Random random(17);
  return random_tensor(random, y.sizes()).to(y.options());
}

/// Result and gradients on a device, back on the CPU.
std::vector<at::Tensor> results_on(const DeviceCase& op, const Incidence& incidence, const at::Device& device,
                                   at::ScalarType type) {
  std::vector<at::Tensor> variables;
  for (const at::Tensor& input : op.inputs)
    variables.push_back(input.detach().to(device, type, false, /*copy=*/true).requires_grad_(true));
  const at::Tensor y = op.call(variables, incidence);
  const auto gradients =
      torch::autograd::grad({y}, variables, {incoming(y)}, {}, false, /*allow_unused=*/true);
  std::vector<at::Tensor> result{y.detach().to(at::kCPU)};
  for (std::size_t i = 0; i < gradients.size(); ++i)
    result.push_back(gradients[i].defined() ? gradients[i].to(at::kCPU) : at::zeros_like(op.inputs[i], type));
  return result;
}

class Cuda : public testing::Test {
 protected:
  void SetUp() override {
    if (!torch::cuda::is_available())
      GTEST_SKIP()
          << "SKIPPED, NOT PASSED: this machine has no usable GPU; run scripts/gpu-check on one that has";
  }

  /// float64 to 1e-12 and float32 to 1e-4 of the largest number, and the same bits in a second run.
  static void expect_parity(const DeviceCase& op, const Incidence& on_cpu, const Incidence& on_gpu) {
    SCOPED_TRACE(op.name);
    for (const auto& [type, tolerance] : {std::pair{at::kDouble, 1e-12}, std::pair{at::kFloat, 1e-4}}) {
      const auto expected = results_on(op, on_cpu, at::kCPU, type);
      const auto actual = results_on(op, on_gpu, at::kCUDA, type);
      const auto again = results_on(op, on_gpu, at::kCUDA, type);
      for (std::size_t i = 0; i < expected.size(); ++i) {
        const double size = expected[i].numel() == 0 ? 0 : expected[i].abs().max().item<double>();
        expect_near(actual[i], expected[i], tolerance * (1 + size),
                    std::string(c10::toString(type)) + " tensor " + std::to_string(i));
        EXPECT_TRUE(at::equal(actual[i], again[i])) << "other bits in a second run, tensor " << i;
      }
    }
  }

  static void expect_parity(const std::vector<DeviceCase>& ops, const Incidence& incidence) {
    const Incidence on_gpu = incidence.to(at::kCUDA);
    for (const DeviceCase& op : ops) expect_parity(op, incidence, on_gpu);
  }
};

/// Maps within 0.3 of the identity, so that no degree block is near singular: inverse roots amplify rounding.
at::Tensor regular(const at::Tensor& maps) {
  const bool matrices = maps.dim() == 3;
  const double most = 0.3 / static_cast<double>(matrices ? maps.size(1) : 1);
  return maps.tanh() * most + (matrices ? at::eye(maps.size(1), at::kDouble) : at::ones({1}, at::kDouble));
}

/// All sheaf operators on one input. A charge is given on the device of the signal, or on the CPU.
std::vector<DeviceCase> sheaf_operators(const SheafCase& sample, bool charge_on_cpu) {
  std::vector<at::Tensor> inputs{sample.x, sample.maps};
  const bool weighted = sample.weight.has_value();
  const bool learned = sample.q.has_value() && !charge_on_cpu;
  const OptionalTensor fixed = charge_on_cpu ? sample.q : OptionalTensor();
  if (weighted) inputs.push_back(*sample.weight);
  if (learned) inputs.push_back(*sample.q);
  const auto weight = [=](In in) { return weighted ? OptionalTensor(in[2]) : OptionalTensor(); };
  const auto q = [=](In in) { return learned ? OptionalTensor(in.back()) : fixed; };
  std::vector<at::Tensor> of_maps(inputs.begin() + 1, inputs.end() - (learned ? 1 : 0));
  std::vector<at::Tensor> regular_inputs = inputs;
  regular_inputs[1] = regular(sample.maps);
  Random random(5);
  std::vector<std::int64_t> block_shape = sample.maps.sizes().vec();
  block_shape[0] = sample.incidence.nodes();
  return {
      {"sheaf_signless",
       [=](In in, const Incidence& h) { return sheaf_signless(in[0], in[1], q(in), weight(in), h); }, inputs},
      {"sheaf_diffuse",
       [=](In in, const Incidence& h) { return sheaf_diffuse(in[0], in[1], q(in), weight(in), h); },
       regular_inputs},
      {"degree_blocks",
       [=](In in, const Incidence& h) {
         return degree_blocks(in[0], weighted ? OptionalTensor(in[1]) : OptionalTensor(), h);
       },
       of_maps},
      {"scale_maps",
       [=](In in, const Incidence& h) { return scale_maps(in[0], in[1].to(at::kDouble), h); },
       {sample.maps, random_tensor(random, block_shape)}},
  };
}

TEST_F(Cuda, SheafOperatorsOnSmallHypergraphs) {
  int number = 0;
  for_each_small_case([&](const SheafCase& sample) {
    expect_parity(sheaf_operators(sample, ++number % 2 == 0), sample.incidence);
  });
}

TEST_F(Cuda, SheafOperatorsOnWideSignalsAndLargeStalks) {
  Random random(101);
  for (const Maps kind : {Maps::scalar, Maps::diagonal, Maps::general}) {
    for (const auto& [d, f] : {std::pair{4, 64}, std::pair{3, 132}, std::pair{2, 260}, std::pair{6, 20},
                               std::pair{16, 8}, std::pair{9, 5}, std::pair{1, 512}}) {
      for (const std::int64_t planes : {1, 2}) {
        const SheafCase sample(random, random_small(random, planes == 1), d, f, planes, kind);
        SCOPED_TRACE(sample.text);
        expect_parity(sheaf_operators(sample, false), sample.incidence);
      }
    }
  }
}

/// The end of a layer in the kernel that sums: the bits of the two kernels one after the other.
TEST_F(Cuda, LayerEndsInOnePass) {
  Random random(111);
  for (const Maps kind : {Maps::scalar, Maps::diagonal, Maps::general}) {
    for (const auto& [d, f] : {std::pair{4, 64}, std::pair{3, 5}, std::pair{9, 4}, std::pair{1, 512}}) {
      const SheafCase sample(random, random_small(random, false), d, f, 2, kind);
      const at::Tensor other = random_tensor(random, sample.x.sizes());
      const auto key = [](In in) { return MaskKey{at::full({1}, 77, in[0].options().dtype(at::kLong)), 5}; };
      const DeviceCase one{"sheaf_rectified",
                           [&](In in, const Incidence& h) {
                             return sheaf_rectified(in[0], in[1], sample.q, {}, in[2], 0.4, key(in), h);
                           },
                           {sample.x, sample.maps, other}};
      const DeviceCase two{"sheaf_signless, then rectify",
                           [&](In in, const Incidence& h) {
                             return rectify(sheaf_signless(in[0], in[1], sample.q, {}, h), in[2], 0.4,
                                            key(in));
                           },
                           one.inputs};
      for (const at::ScalarType type : {at::kFloat, at::kDouble}) {
        SCOPED_TRACE(sample.text);
        const Incidence incidence = sample.incidence.to(at::kCUDA);
        const auto fused = results_on(one, incidence, at::kCUDA, type);
        const auto apart = results_on(two, incidence, at::kCUDA, type);
        for (std::size_t i = 0; i < fused.size(); ++i) EXPECT_TRUE(at::equal(fused[i], apart[i])) << i;
      }
    }
  }
}

TEST_F(Cuda, RowsThatAreNotAligned) {
  Random random(102);
  const SheafCase sample(random, random_small(random, false), 4, 16, 2, Maps::general);
  const auto shifted = [](const at::Tensor& x) {
    return at::cat({at::zeros({1}, x.options()), x.reshape({-1})}).narrow(0, 1, x.numel()).view(x.sizes());
  };
  expect_parity({{"sheaf_signless",
                  [&](In in, const Incidence& h) {
                    return sheaf_signless(shifted(in[0]), shifted(in[1]), sample.q, {}, h);
                  },
                  {sample.x, sample.maps}}},
                sample.incidence);
}

TEST_F(Cuda, InverseRoots) {
  Random random(103);
  for (const std::int64_t d : {1, 2, 3, 4, 5, 6, 7, 16}) {
    SCOPED_TRACE(d);
    const at::Tensor a = random_tensor(random, {200, d, d});
    at::Tensor blocks = at::matmul(a, a.transpose(1, 2)) + 0.3 * at::eye(d, at::kDouble);
    blocks[3] = at::zeros({d, d}, at::kDouble);
    blocks[4] = 1.7 * at::eye(d, at::kDouble);
    const auto root = [](In in, const Incidence&) { return inverse_sqrt(in[0].to(at::kDouble)); };
    const DeviceCase general{"inverse_sqrt", root, {blocks}};
    const DeviceCase diagonal{"inverse_sqrt", root, {blocks.diagonal(0, 1, 2).contiguous()}};
    for (const DeviceCase& op : {general, diagonal}) {
      const auto expected = results_on(op, {}, at::kCPU, at::kDouble);
      const auto actual = results_on(op, {}, at::kCUDA, at::kDouble);
      for (std::size_t i = 0; i < 2; ++i)
        expect_near(actual[i], expected[i], 1e-12 * (1 + expected[i].abs().max().item<double>()), op.name);
    }
  }
}

/// Every segment operator over one view.
std::vector<DeviceCase> segment_operators(const Incidence& in, Over over, std::int64_t columns,
                                          std::int64_t heads, Random& random) {
  const std::int64_t rows = over == Over::edges ? in.edges() : in.nodes();
  const std::int64_t others = over == Over::edges ? in.nodes() : in.edges();
  const at::Tensor x = random_tensor(random, {others, columns});
  const at::Tensor values = random_tensor(random, {in.incidences(), columns});
  const at::Tensor by_head = random_tensor(random, {in.incidences(), heads});
  return {
      {"gather_sum", [=](In t, const Incidence& h) { return gather_sum(t[0], over, h); }, {x}},
      {"gather_mean", [=](In t, const Incidence& h) { return gather_mean(t[0], over, h); }, {x}},
      {"gather_max", [=](In t, const Incidence& h) { return gather_max(t[0], over, h); }, {x}},
      {"weighted gather_sum",
       [=](In t, const Incidence& h) { return gather_sum(t[0], t[1], over, h); },
       {x, by_head}},
      {"segment_sum", [=](In t, const Incidence& h) { return segment_sum(t[0], over, h); }, {values}},
      {"segment_mean", [=](In t, const Incidence& h) { return segment_mean(t[0], over, h); }, {values}},
      {"segment_max", [=](In t, const Incidence& h) { return segment_max(t[0], over, h); }, {values}},
      {"segment_softmax", [=](In t, const Incidence& h) { return segment_softmax(t[0], over, h); }, {values}},
      {"expand",
       [=](In t, const Incidence& h) { return expand(t[0], over, h); },
       {random_tensor(random, {rows, columns})}},
      {"member_linear",
       [=](In t, const Incidence& h) {
         return member_linear(t[0], t[1], over == Over::edges ? Pool::mean : Pool::sum, h);
       },
       {random_tensor(random, {in.nodes(), columns}), random_tensor(random, {in.nodes(), columns})}},
      {"incidence_linear",
       [=](In t, const Incidence& h) { return incidence_linear(t[0], t[1], h); },
       {random_tensor(random, {in.nodes(), columns}), random_tensor(random, {in.edges(), columns})}},
  };
}

TEST_F(Cuda, SegmentOperatorsOnSmallHypergraphs) {
  Random random(104);
  for (const auto& [columns, heads] : {std::pair{1, 1}, std::pair{4, 2}, std::pair{6, 3}, std::pair{7, 1},
                                       std::pair{64, 8}, std::pair{160, 4}}) {
    for (int repetition = 0; repetition < 3; ++repetition) {
      const Incidence incidence(random_small(random, false));
      for (const Over over : {Over::edges, Over::nodes})
        expect_parity(segment_operators(incidence, over, columns, heads, random), incidence);
    }
  }
}

/// A hyperedge of 20,000 members, a node in 2,000 hyperedges, empty and single ones, and isolated nodes.
Hypergraph with_giants(Random& random) {
  constexpr Index kMembers = 20'000;
  constexpr Index kEdges = 2'000;
  std::vector<Index> edge;
  std::vector<Index> node;
  std::vector<Role> role;
  for (Index e = 0; e < kEdges; ++e) {
    const Index size = e == 5 ? kMembers : e % 7 == 0 ? 0 : static_cast<Index>(1 + random.below(20));
    std::vector<Index> members = random.sample(kMembers, size);
    if (size > 0 && std::find(members.begin(), members.end(), 0) == members.end()) members[0] = 0;
    for (const Index v : members) {
      edge.push_back(e);
      node.push_back(v);
      role.push_back(random.below(3) == 0 ? Role::tail : Role::head);
    }
  }
  return {kMembers + 500, kEdges, {edge, node, role}};
}

TEST_F(Cuda, GiantRows) {
  Random random(105);
  const Hypergraph h = with_giants(random);
  for (const Maps kind : {Maps::scalar, Maps::diagonal, Maps::general}) {
    const SheafCase sample(random, h, 4, 12, 2, kind);
    SCOPED_TRACE(sample.text);
    expect_parity(sheaf_operators(sample, false), sample.incidence);
  }
  const Incidence incidence(h);
  for (const Over over : {Over::edges, Over::nodes})
    expect_parity(segment_operators(incidence, over, 8, 2, random), incidence);
}

/// Above a million incidences long rows are cut elsewhere and groups take more entries.
TEST_F(Cuda, MoreThanAMillionIncidences) {
  RandomOptions options;
  options.nodes = 60'000;
  options.hyperedges = 100'000;
  options.size_law = SizeLaw::power_law;
  options.mean_size = 12;
  options.max_size = 5'000;
  options.degree_law = DegreeLaw::power_law;
  Random random(106);
  const SheafCase sample(random, random_hypergraph(options), 2, 4, 2, Maps::diagonal);
  ASSERT_GT(sample.incidence.incidences(), 1 << 20);
  expect_parity(sheaf_operators(sample, true), sample.incidence);
}

TEST_F(Cuda, StalkProduct) {
  Random random(108);
  const auto product = [](In in, const Incidence&) { return stalk_product(in[0], in[1]); };
  for (const auto& [rows, d, f] : {std::array{1, 1, 1}, std::array{300, 4, 64}, std::array{0, 3, 4},
                                   std::array{77, 6, 5}, std::array{50, 9, 7}, std::array{20'000, 2, 16}}) {
    SCOPED_TRACE(rows);
    const DeviceCase op{
        "stalk_product", product, {random_tensor(random, {rows, d, 2, f}), random_tensor(random, {d, d})}};
    expect_parity(op, {}, {});
    const auto with_mean = [](In in, const Incidence&) {
      const auto [y, mean] = stalk_product_and_mean(in[0], in[1]);
      return at::cat({y, mean}, 1);
    };
    expect_parity({"stalk_product_and_mean", with_mean, op.inputs}, {}, {});
  }
}

TEST_F(Cuda, Rectify) {
  Random random(109);
  for (const auto& [rows, planes, f] : {std::array{1, 1, 1}, std::array{300, 2, 64}, std::array{0, 2, 4},
                                        std::array{77, 2, 5}, std::array{20'000, 1, 16}}) {
    SCOPED_TRACE(rows);
    const at::Tensor y = random_tensor(random, {rows, 3, planes, f});
    const auto with_skip = [](In in, const Incidence&) {
      return rectify(in[0], in[1], 0.4, {at::full({1}, 77, in[0].options().dtype(at::kLong)), 5});
    };
    const auto bare = [](In in, const Incidence&) { return rectify(in[0], {}, 0, {}); };
    expect_parity({"rectify with skip and mask", with_skip, {y, random_tensor(random, y.sizes())}}, {}, {});
    expect_parity({"rectify", bare, {y}}, {}, {});
  }
}

TEST_F(Cuda, Whiten) {
  Random random(110);
  const auto whitened = [](In in, const Incidence&) { return whiten(in[0], 1e-5); };
  for (const auto& [rows, planes, f] : {std::array{1, 1, 1}, std::array{300, 2, 64}, std::array{0, 2, 4},
                                        std::array{77, 2, 5}, std::array{5'000, 1, 33}}) {
    SCOPED_TRACE(rows);
    expect_parity({"whiten", whitened, {random_tensor(random, {rows, 3, planes, f})}}, {}, {});
  }
}

TEST_F(Cuda, DropoutMasksAreThoseOfTheCpu) {
  Random random(107);
  const at::Tensor x = random_tensor(random, {37, 3, 2, 11});
  for (const at::ScalarType type : {at::kFloat, at::kDouble}) {
    for (const auto& [planes, channels] : {std::pair{1, 1}, std::pair{2, 11}}) {
      const at::Tensor key = at::full({1}, -123456789012345, at::kLong);
      const at::Tensor expected = dropout(x.to(type), 0.4, {key, 3}, planes, channels);
      const at::Tensor actual = dropout(x.to(at::kCUDA, type), 0.4, {key.to(at::kCUDA), 3}, planes, channels);
      EXPECT_TRUE(at::equal(expected, actual.to(at::kCPU)));
    }
    const at::Tensor key = at::full({1}, 77, at::kLong);
    const at::Tensor some = x.flatten().to(type);
    const at::Tensor numbers = at::arange(some.size(0)) * 3 + 5;
    const at::Tensor expected = dropout_at(some, numbers, 0.4, {key, 2});
    const at::Tensor actual =
        dropout_at(some.to(at::kCUDA), numbers.to(at::kCUDA), 0.4, {key.to(at::kCUDA), 2});
    EXPECT_TRUE(at::equal(expected, actual.to(at::kCPU)));
  }
}

}  // namespace
}  // namespace dshn::ops::test
