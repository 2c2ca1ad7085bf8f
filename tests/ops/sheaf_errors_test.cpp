// Wrong arguments name the argument, what was expected and what came.
#include <limits>

#include "dshn/ops/sheaf.hpp"
#include "ops/support.hpp"

namespace dshn::ops::test {
namespace {

/// Two directed hyperedges on four nodes: {0, 1} -> {2} and {3} -> {0}; d = 3, f = 2.
class SheafErrors : public testing::Test {
 protected:
  static Hypergraph small() {
    const std::vector<Index> edge{0, 0, 0, 1, 1};
    const std::vector<Index> node{0, 1, 2, 3, 0};
    const std::vector<Role> role{Role::tail, Role::tail, Role::head, Role::tail, Role::head};
    return {4, 2, {edge, node, role}};
  }

  std::string diffuse(const at::Tensor& signal, const at::Tensor& given_maps, const OptionalTensor& q = {},
                      const OptionalTensor& weight = {}) const {
    return usage_error([&] { sheaf_diffuse(signal, given_maps, q, weight, incidence_); });
  }
  static at::Tensor ones(at::IntArrayRef shape, at::ScalarType type = at::kDouble) {
    return at::ones(shape, type);
  }

  Incidence incidence_{small()};
  at::Tensor x_ = ones({4, 3, 2, 2});
  at::Tensor maps_ = ones({5, 3});
};

TEST_F(SheafErrors, SignalOfTheWrongShape) {
  EXPECT_EQ(diffuse(ones({5, 3, 2, 2}), maps_),
            "x: expected Float or Double [4, *, *, *] on cpu, got Double [5, 3, 2, 2] on cpu");
  EXPECT_EQ(diffuse(ones({4, 6}), maps_),
            "x: expected Float or Double [4, *, *, *] on cpu, got Double [4, 6] on cpu");
  EXPECT_EQ(diffuse(ones({4, 3, 3, 2}), maps_),
            "x: expected 1 (real) or 2 (re, im) planes in dimension 2, got Double [4, 3, 3, 2] on cpu");
  EXPECT_EQ(diffuse(ones({4, 0, 2, 2}), maps_),
            "x: expected a stalk dimension of at least 1 in dimension 1, got Double [4, 0, 2, 2] on cpu");
}

TEST_F(SheafErrors, SignalOfTheWrongType) {
  EXPECT_EQ(diffuse(ones({4, 3, 2, 2}, at::kLong), maps_),
            "x: expected Float or Double [4, *, *, *] on cpu, got Long [4, 3, 2, 2] on cpu");
  EXPECT_EQ(diffuse(ones({4, 3, 2, 2}, at::kHalf), maps_),
            "x: expected Float or Double [4, *, *, *] on cpu, got Half [4, 3, 2, 2] on cpu");
}

TEST_F(SheafErrors, SignalOnAnotherDevice) {
  EXPECT_EQ(diffuse(x_.to(at::kMeta), maps_),
            "x: expected Float or Double [4, *, *, *] on cpu, got Double [4, 3, 2, 2] on meta");
}

TEST_F(SheafErrors, RealSignalWithACharge) {
  EXPECT_EQ(diffuse(ones({4, 3, 1, 2}), maps_, at::full({}, 0.25, at::kDouble)),
            "x: expected 2 planes (re, im), because there is a charge q, got Double [4, 3, 1, 2] on cpu");
}

TEST_F(SheafErrors, MapsThatDoNotFitTheHypergraph) {
  EXPECT_EQ(diffuse(x_, ones({6, 3})),
            "maps: expected Float or Double [5, *] on cpu, got Double [6, 3] on cpu");
  EXPECT_EQ(diffuse(x_, ones({5, 3, 2})),
            "maps: expected Float or Double [5, 3, 3] on cpu, got Double [5, 3, 2] on cpu");
  EXPECT_EQ(diffuse(x_, ones({5, 0})),
            "maps: expected a stalk dimension of at least 1 in dimension 1, got Double [5, 0] on cpu");
}

TEST_F(SheafErrors, MapsThatDoNotFitTheSignal) {
  const std::string expected =
      "maps: expected [nnz, 1], [nnz, d] or [nnz, d, d] with nnz = 5 and d = 3, of the type of the signal, "
      "Double, got ";
  EXPECT_EQ(diffuse(x_, ones({5, 2})), expected + "Double [5, 2] on cpu");
  EXPECT_EQ(diffuse(x_, ones({5, 2, 2})), expected + "Double [5, 2, 2] on cpu");
  EXPECT_EQ(diffuse(x_, ones({5, 1, 1})), expected + "Double [5, 1, 1] on cpu");
  EXPECT_EQ(diffuse(x_, ones({5, 3}, at::kFloat)), expected + "Float [5, 3] on cpu");
}

TEST_F(SheafErrors, ChargeThatIsNoNumber) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(diffuse(x_, maps_, at::full({}, nan, at::kDouble)), "q: expected a finite charge, got nan");
  EXPECT_EQ(diffuse(x_, maps_, at::full({}, INFINITY, at::kDouble)), "q: expected a finite charge, got inf");
  EXPECT_EQ(diffuse(x_, maps_, ones({2})), "q: expected a floating-point scalar, got Double [2] on cpu");
  EXPECT_EQ(diffuse(x_, maps_, at::ones({}, at::kLong)),
            "q: expected a floating-point scalar, got Long [] on cpu");
}

TEST_F(SheafErrors, WeightsThatDoNotFit) {
  EXPECT_EQ(diffuse(x_, maps_, {}, ones({3})),
            "weight: expected Float or Double [2] on cpu, got Double [3] on cpu");
  EXPECT_EQ(diffuse(x_, maps_, {}, ones({2}, at::kFloat)),
            "weight: expected the type of the maps, Double, got Float [2] on cpu");
  const at::Tensor zero = torch::tensor({1.0, 0.0}, torch::kDouble);
  EXPECT_EQ(diffuse(x_, maps_, {}, zero),
            "weight: expected finite positive hyperedge weights, got 0.000000 for hyperedge 1");
}

TEST_F(SheafErrors, BlocksThatDoNotFit) {
  EXPECT_EQ(usage_error([&] {
              inverse_sqrt(ones({4, 3, 2}));
            }),
            "blocks: expected Double [n, k] or [n, d, d], got Double [4, 3, 2] on cpu");
  EXPECT_EQ(usage_error([&] {
              inverse_sqrt(ones({4, 3}, at::kFloat));
            }),
            "blocks: expected Double [n, k] or [n, d, d], got Float [4, 3] on cpu");
  EXPECT_EQ(usage_error([&] {
              scale_maps(maps_, ones({3, 3}), incidence_);
            }),
            "blocks: expected Float or Double [4, 3] on cpu, got Double [3, 3] on cpu");
}

TEST_F(SheafErrors, NoIncidence) {
  EXPECT_EQ(usage_error([&] { sheaf_diffuse(x_, maps_, {}, {}, Incidence()); }),
            "incidence: expected an Incidence, got nothing");
}

}  // namespace
}  // namespace dshn::ops::test
