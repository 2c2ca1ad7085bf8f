// The sheaf operators against the reference, and what holds for any number of threads.
#include "dshn/ops/sheaf.hpp"

#include <complex>

#include "ops/reference/sheaf.hpp"
#include "ops/support.hpp"

namespace dshn::ops::test {
namespace {

/// Every kind of maps as d x d matrices.
at::Tensor as_matrices(const SheafCase& sample) {
  if (sample.maps.dim() == 3) return sample.maps;
  return at::diag_embed(sample.maps.expand({sample.maps.size(0), sample.d}).contiguous());
}

std::vector<double> values(const at::Tensor& tensor) {
  const at::Tensor flat = tensor.contiguous();
  return {flat.data_ptr<double>(), flat.data_ptr<double>() + flat.numel()};
}

reference::Sheaf reference_of(const SheafCase& sample) {
  return {&sample.hypergraph, sample.d, sample.q.has_value() ? sample.q->item<double>() : 0.0,
          values(as_matrices(sample))};
}

/// [n, d, planes, f] to complex [n, d, f] and back.
reference::Signal signal_of(const SheafCase& sample) {
  const std::int64_t planes = sample.x.size(2);
  const auto* in = sample.x.data_ptr<double>();
  reference::Signal signal;
  for (std::int64_t block = 0; block < sample.x.size(0) * sample.d; ++block) {
    const double* row = in + block * planes * sample.f;
    for (std::int64_t c = 0; c < sample.f; ++c)
      signal.emplace_back(row[c], planes == 2 ? row[sample.f + c] : 0.0);
  }
  return signal;
}

at::Tensor planar(const reference::Signal& signal, const SheafCase& sample) {
  const at::Tensor result = at::empty_like(sample.x);
  const std::int64_t planes = sample.x.size(2);
  for (std::size_t i = 0; i < signal.size(); ++i) {
    const auto block = static_cast<std::int64_t>(i) / sample.f;
    double* row =
        result.data_ptr<double>() + block * planes * sample.f + static_cast<std::int64_t>(i) % sample.f;
    row[0] = signal[i].real();
    if (planes == 2) row[sample.f] = signal[i].imag();
  }
  return result;
}

double size_of(const at::Tensor& tensor) {
  return tensor.numel() == 0 ? 0 : tensor.abs().max().item<double>();
}

TEST(SheafSignless, EqualsTheReference) {
  for_each_small_case([](const SheafCase& sample) {
    const at::Tensor y = sheaf_signless(sample.x, sample.maps, sample.q, sample.weight, sample.incidence);

    const at::Tensor expected =
        planar(reference::signless(reference_of(sample), signal_of(sample), sample.f), sample);
    expect_near(y, expected, 1e-12 * (1 + size_of(expected)), "Q x");
  });
}

TEST(DegreeBlocks, EqualTheReference) {
  for_each_small_case([](const SheafCase& sample) {
    at::Tensor blocks = degree_blocks(sample.maps, sample.weight, sample.incidence);

    if (blocks.dim() == 2) blocks = at::diag_embed(blocks.expand({blocks.size(0), sample.d}).contiguous());
    const at::Tensor expected =
        torch::tensor(reference::degree_blocks(reference_of(sample)), torch::kDouble).view_as(blocks);
    expect_near(blocks, expected, 1e-12 * (1 + size_of(expected)), "D");
  });
}

TEST(InverseSqrt, EqualsTheReference) {
  for_each_small_case([](const SheafCase& sample) {
    const at::Tensor blocks = degree_blocks(as_matrices(sample), sample.weight, sample.incidence);

    const at::Tensor roots = inverse_sqrt(blocks);

    const at::Tensor expected =
        torch::tensor(reference::inverse_sqrt(values(blocks), sample.d), torch::kDouble).view_as(blocks);
    expect_near(roots, expected, 1e-7 * (1 + size_of(expected)), "N");
  });
}

TEST(SheafDiffuse, EqualsTheReference) {
  for_each_small_case([](const SheafCase& sample) {
    const at::Tensor y = sheaf_diffuse(sample.x, sample.maps, sample.q, sample.weight, sample.incidence);

    const at::Tensor expected =
        planar(reference::diffuse(reference_of(sample), signal_of(sample), sample.f), sample);
    expect_near(y, expected, 1e-9 * (1 + size_of(expected)), "Q_N x");
  });
}

TEST(SheafDiffuse, NoChargeIsTheChargeZero) {
  Random random(3);
  const SheafCase sample(random, random_small(random, true), 3, 5, 2, Maps::general);
  const OptionalTensor zero = at::zeros({}, at::kDouble);

  const at::Tensor without = sheaf_diffuse(sample.x, sample.maps, {}, sample.weight, sample.incidence);
  const at::Tensor with = sheaf_diffuse(sample.x, sample.maps, zero, sample.weight, sample.incidence);

  EXPECT_TRUE(at::equal(without, with));
}

/// sum over u of N_u D_u N_u = projection on the range of D_u.
TEST(InverseSqrt, LeavesNullDirectionsOut) {
  Random random(4);
  const at::Tensor half = random_tensor(random, {20, 2, 4});
  const at::Tensor blocks = at::matmul(half.transpose(1, 2), half);  // rank 2 of 4

  const at::Tensor roots = inverse_sqrt(blocks);

  const at::Tensor projection = at::matmul(at::matmul(roots, blocks), roots);
  expect_near(at::matmul(projection, projection), projection, 1e-10, "P P = P");
  const at::Tensor trace = at::diagonal(projection, 0, 1, 2).sum(1);
  expect_near(trace, at::full_like(trace, 2), 1e-10, "rank");
}

TEST(InverseSqrt, OfZeroIsZero) {
  EXPECT_TRUE(at::equal(inverse_sqrt(at::zeros({3, 2, 2}, at::kDouble)), at::zeros({3, 2, 2}, at::kDouble)));
  EXPECT_TRUE(at::equal(inverse_sqrt(at::zeros({3, 2}, at::kDouble)), at::zeros({3, 2}, at::kDouble)));
}

/// The operators as functions of the tensors they are differentiated in.
std::pair<Function, std::vector<at::Tensor>> diffuse_function(const SheafCase& sample) {
  std::vector<at::Tensor> inputs{sample.x, sample.maps};
  if (sample.q.has_value()) inputs.push_back(*sample.q);
  if (sample.weight.has_value()) inputs.push_back(*sample.weight);
  const bool charged = sample.q.has_value();
  const bool weighted = sample.weight.has_value();
  const Incidence incidence = sample.incidence;
  return {[=](const std::vector<at::Tensor>& in) {
            const OptionalTensor q = charged ? OptionalTensor(in[2]) : OptionalTensor();
            const OptionalTensor w = weighted ? OptionalTensor(in[charged ? 3 : 2]) : OptionalTensor();
            return sheaf_diffuse(in[0], in[1], q, w, incidence);
          },
          inputs};
}

TEST(SheafDiffuse, FloatIsNearDouble) {
  Random random(6);
  for (const Maps kind : {Maps::scalar, Maps::diagonal, Maps::general}) {
    const SheafCase sample(random, random_small(random, true), 2, 9, 2, kind);
    // Maps near the identity: N_u stays of moderate size, so that rounding is all that is compared.
    const at::Tensor calm =
        sample.maps * 0.2 + (kind == Maps::general ? at::eye(2, at::kDouble) : at::ones({1}));
    auto [function, inputs] = diffuse_function(sample);
    inputs[1] = calm.to(at::kDouble);
    expect_float_near_double(function, inputs);
  }
}

TEST(SheafDiffuse, SameBitsForAnyNumberOfThreads) {
  Random random(7);
  for (const Maps kind : {Maps::scalar, Maps::diagonal, Maps::general}) {
    for (const std::int64_t planes : {1, 2}) {
      SheafCase sample(random, random_large(random), 3, 21, planes, kind);
      sample.weight = random_tensor(random, {sample.hypergraph.edge_count()}).square() + 0.1;
      const auto [function, inputs] = diffuse_function(sample);
      expect_same_bits_for_any_threads(function, inputs);
      std::vector<at::Tensor> single;
      for (const at::Tensor& input : inputs) single.push_back(input.to(at::kFloat));
      expect_same_bits_for_any_threads(function, single);
    }
  }
}

TEST(SheafDiffuse, TakesTensorsThatAreNotContiguous) {
  Random random(8);
  const SheafCase sample(random, random_small(random, true), 3, 4, 2, Maps::general);
  const at::Tensor x = sample.x.transpose(1, 3).contiguous().transpose(1, 3);
  const at::Tensor maps = sample.maps.transpose(1, 2).contiguous().transpose(1, 2);
  const at::Tensor weight = at::stack({*sample.weight, *sample.weight}, 1).select(1, 0);

  const at::Tensor y = sheaf_diffuse(x, maps, sample.q, weight, sample.incidence);

  EXPECT_TRUE(at::equal(y, sheaf_diffuse(sample.x, sample.maps, sample.q, sample.weight, sample.incidence)));
}

TEST(SheafDiffuse, WorksInInferenceMode) {
  Random random(9);
  const SheafCase sample(random, random_small(random, true), 3, 4, 2, Maps::general);
  const at::Tensor expected = sheaf_diffuse(sample.x, sample.maps, sample.q, sample.weight, sample.incidence);

  const c10::InferenceMode guard;
  const at::Tensor maps = sample.maps.transpose(1, 2).contiguous().transpose(1, 2);
  EXPECT_TRUE(at::equal(expected, sheaf_diffuse(sample.x, maps, sample.q, sample.weight, sample.incidence)));
  EXPECT_NE(
      usage_error([&] { degree_blocks(maps.to(at::kLong), {}, sample.incidence); }).find("maps: expected"),
      std::string::npos);
}

}  // namespace
}  // namespace dshn::ops::test
