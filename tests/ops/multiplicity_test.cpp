#include "dshn/ops/multiplicity.hpp"

#include "dshn/ops/sheaf.hpp"
#include "ops/reference/sheaf.hpp"
#include "ops/support.hpp"

namespace dshn::ops::test {
namespace {

/// The same hypergraph with a weight between 1/4 and 4 for each incidence.
Hypergraph with_multiplicities(const Hypergraph& h, Random& random) {
  std::vector<Index> edge;
  std::vector<Role> role;
  std::vector<double> weight;
  for (Index e = 0; e < h.edge_count(); ++e) {
    for (Offset i = h.edge_ptr()[e]; i < h.edge_ptr()[e + 1]; ++i) {
      edge.push_back(e);
      role.push_back(h.role(e, i));
      weight.push_back(0.25 + 3.75 * random.uniform());
    }
  }
  HypergraphExtras extras;
  extras.edge_weights = {h.edge_weights().begin(), h.edge_weights().end()};
  return {h.node_count(),
          h.edge_count(),
          {edge, h.member_nodes(), role, weight},
          OnConflict::error,
          std::move(extras)};
}

at::Tensor multiplicities(const Hypergraph& h) {
  std::vector<double> values;
  for (Offset i = 0; i < h.incidence_count(); ++i) values.push_back(h.incidence_weight(i));
  return torch::tensor(values, torch::kDouble);
}

/// Q_N x of maps, weights and multiplicities that the operators do not know.
at::Tensor diffused(const at::Tensor& x, const at::Tensor& maps, const at::Tensor& multiplicity,
                    const OptionalTensor& weight, const SheafCase& sample) {
  const Incidence& incidence = sample.incidence;
  const at::Tensor root = inverse_sqrt(repeated_degree(maps, weight, multiplicity, incidence));
  const at::Tensor normalized = scale_maps(repeated_maps(maps, multiplicity), root, incidence);
  return sheaf_signless(x, normalized, sample.q, repeated_weight(weight, multiplicity, incidence), incidence);
}

/// The map of an incidence as a matrix.
std::vector<double> full_maps(const SheafCase& sample) {
  std::vector<double> full(sample.maps.size(0) * sample.d * sample.d, 0.0);
  for (std::int64_t i = 0; i < sample.maps.size(0); ++i) {
    for (std::int64_t a = 0; a < sample.d; ++a) {
      for (std::int64_t b = 0; b < sample.d; ++b) {
        double& entry = full[(i * sample.d + a) * sample.d + b];
        if (sample.maps.dim() == 3)
          entry = sample.maps[i][a][b].item<double>();
        else if (a == b)
          entry = sample.maps[i][sample.maps.size(1) == 1 ? 0 : a].item<double>();
      }
    }
  }
  return full;
}

void for_each_weighed_case(const std::function<void(const SheafCase&)>& check) {
  Random random(52);
  for (const Maps kind : {Maps::scalar, Maps::diagonal, Maps::general}) {
    for (const std::int64_t d : {1, 3}) {
      for (const std::int64_t planes : {1, 2}) {
        for (const bool weighted : {false, true}) {
          const Hypergraph h = with_multiplicities(random_small(random, weighted), random);
          SheafCase sample(random, h, d, 2, planes, kind);
          // Blocks of one map that is nearly singular would amplify rounding.
          if (kind == Maps::general) sample.maps = 0.3 * sample.maps + at::eye(d, at::kDouble);
          SCOPED_TRACE(sample.text);
          check(sample);
        }
      }
    }
  }
}

TEST(Multiplicity, AgreesWithTheReference) {
  for_each_weighed_case([](const SheafCase& sample) {
    const double q = sample.q.has_value() ? sample.q->item<double>() : 0;
    const reference::Sheaf sheaf{&sample.hypergraph, sample.d, q, full_maps(sample)};
    const std::int64_t n = sample.hypergraph.node_count();
    reference::Signal x(n * sample.d * sample.f);
    const auto place = [&](std::int64_t u, std::int64_t a, std::int64_t c) {
      return (u * sample.d + a) * sample.f + c;
    };
    const auto complex_at = [&](const at::Tensor& signal, std::int64_t u, std::int64_t a, std::int64_t c) {
      return std::complex<double>(signal[u][a][0][c].item<double>(),
                                  signal.size(2) == 2 ? signal[u][a][1][c].item<double>() : 0.0);
    };
    const at::Tensor y =
        diffused(sample.x, sample.maps, multiplicities(sample.hypergraph), sample.weight, sample);
    for (std::int64_t u = 0; u < n; ++u)
      for (std::int64_t a = 0; a < sample.d; ++a)
        for (std::int64_t c = 0; c < sample.f; ++c) x[place(u, a, c)] = complex_at(sample.x, u, a, c);
    const reference::Signal expected = reference::diffuse(sheaf, x, sample.f);
    for (std::int64_t u = 0; u < n; ++u)
      for (std::int64_t a = 0; a < sample.d; ++a)
        for (std::int64_t c = 0; c < sample.f; ++c)
          ASSERT_LT(std::abs(complex_at(y, u, a, c) - expected[place(u, a, c)]), 1e-10);
  });
}

TEST(Multiplicity, GradientsOfSignalMapsMultiplicitiesAndWeights) {
  for_each_weighed_case([](const SheafCase& sample) {
    std::vector<at::Tensor> inputs{sample.x, sample.maps, multiplicities(sample.hypergraph)};
    if (sample.weight.has_value()) inputs.push_back(*sample.weight);
    expect_gradients(
        [&](const std::vector<at::Tensor>& in) {
          const OptionalTensor weight = in.size() > 3 ? OptionalTensor(in[3]) : OptionalTensor();
          return diffused(in[0], in[1], in[2], weight, sample);
        },
        inputs, 1e-5);
  });
}

TEST(Multiplicity, WithoutAnyGivesBackWhatItIsGiven) {
  Random random(53);
  const SheafCase sample(random, random_small(random, true), 2, 3, 2, Maps::general);
  EXPECT_TRUE(repeated_maps(sample.maps, {}).is_same(sample.maps));
  EXPECT_TRUE(repeated_weight(sample.weight, {}, sample.incidence)->is_same(*sample.weight));
  EXPECT_FALSE(repeated_weight({}, {}, sample.incidence).has_value());
  EXPECT_TRUE(at::equal(repeated_degree(sample.maps, sample.weight, {}, sample.incidence),
                        degree_blocks(sample.maps, sample.weight, sample.incidence)));
}

}  // namespace
}  // namespace dshn::ops::test
