// Sums, means, maxima and softmax over segments against the reference.
#include "dshn/ops/segment.hpp"

#include <cmath>
#include <limits>

#include "ops/reference/segment.hpp"
#include "ops/support.hpp"

namespace dshn::ops::test {
namespace {

using reference::Kind;

std::vector<double> list_of(const at::Tensor& tensor) {
  const at::Tensor flat = tensor.contiguous();
  return {flat.data_ptr<double>(), flat.data_ptr<double>() + flat.numel()};
}

at::Tensor tensor_of(const reference::Rows& rows, std::int64_t c) {
  return torch::tensor(rows, torch::kDouble).view({static_cast<std::int64_t>(rows.size()) / c, c});
}

/// One small hypergraph seen over its hyperedges or over its nodes, and a number of columns.
struct Sample {
  Hypergraph hypergraph;
  Incidence incidence{hypergraph};
  Over over;
  std::int64_t c;

  bool over_edges() const { return over == Over::edges; }
  std::int64_t others() const { return over_edges() ? hypergraph.node_count() : hypergraph.edge_count(); }
  std::int64_t rows() const { return over_edges() ? hypergraph.edge_count() : hypergraph.node_count(); }
  auto segments() const { return reference::segments(hypergraph, over_edges()); }
  auto ends() const { return reference::other_end(hypergraph, over_edges()); }
};

void for_each_sample(const std::function<void(const Sample&, Random&)>& check) {
  Random random(51);
  for (int repetition = 0; repetition < 12; ++repetition) {
    for (const std::int64_t c : {1, 3, 7, 16, 33}) {
      for (const Over over : {Over::edges, Over::nodes}) {
        SCOPED_TRACE(testing::Message() << "repetition " << repetition << " c " << c << " over "
                                        << (over == Over::edges ? "edges" : "nodes"));
        check({.hypergraph = random_small(random, false), .over = over, .c = c}, random);
      }
    }
  }
}

TEST(Gather, EqualsTheReference) {
  for_each_sample([](const Sample& s, Random& random) {
    const at::Tensor x = random_tensor(random, {s.others(), s.c});
    const reference::Rows rows = reference::weigh(s.ends(), list_of(x), s.c, {}, 1);

    const at::Tensor sum = gather_sum(x, s.over, s.incidence);
    const at::Tensor mean = gather_mean(x, s.over, s.incidence);
    const at::Tensor max = gather_max(x, s.over, s.incidence);

    expect_near(sum, tensor_of(reduce(s.segments(), rows, s.c, Kind::sum), s.c), 1e-13, "sum");
    expect_near(mean, tensor_of(reduce(s.segments(), rows, s.c, Kind::mean), s.c), 1e-13, "mean");
    EXPECT_TRUE(at::equal(max, tensor_of(reduce(s.segments(), rows, s.c, Kind::max), s.c)));
  });
}

TEST(Gather, WithCoefficientsEqualsTheReference) {
  for_each_sample([](const Sample& s, Random& random) {
    for (const std::int64_t heads : {1, 2, 4}) {
      const std::int64_t c = s.c * heads;
      const at::Tensor x = random_tensor(random, {s.others(), c});
      const at::Tensor coefficients = random_tensor(random, {s.hypergraph.incidence_count(), heads});

      const at::Tensor sum = gather_sum(x, coefficients, s.over, s.incidence);

      const reference::Rows rows = reference::weigh(s.ends(), list_of(x), c, list_of(coefficients), heads);
      expect_near(sum, tensor_of(reduce(s.segments(), rows, c, Kind::sum), c), 1e-13, "weighted sum");
      if (heads == 1) {
        EXPECT_TRUE(at::equal(sum, gather_sum(x, coefficients.squeeze(1), s.over, s.incidence)));
      }
    }
  });
}

TEST(Segment, EqualsTheReference) {
  for_each_sample([](const Sample& s, Random& random) {
    const at::Tensor x = random_tensor(random, {s.hypergraph.incidence_count(), s.c});

    const at::Tensor sum = segment_sum(x, s.over, s.incidence);
    const at::Tensor mean = segment_mean(x, s.over, s.incidence);
    const at::Tensor max = segment_max(x, s.over, s.incidence);
    const at::Tensor softmax = segment_softmax(x, s.over, s.incidence);

    expect_near(sum, tensor_of(reduce(s.segments(), list_of(x), s.c, Kind::sum), s.c), 1e-13, "sum");
    expect_near(mean, tensor_of(reduce(s.segments(), list_of(x), s.c, Kind::mean), s.c), 1e-13, "mean");
    EXPECT_TRUE(at::equal(max, tensor_of(reduce(s.segments(), list_of(x), s.c, Kind::max), s.c)));
    expect_near(softmax, tensor_of(reference::softmax(s.segments(), list_of(x), s.c), s.c), 1e-14, "softmax");
  });
}

TEST(Expand, RepeatsTheRowsOfEachIncidence) {
  for_each_sample([](const Sample& s, Random& random) {
    const at::Tensor others = random_tensor(random, {s.others(), s.c});
    const at::Tensor rows = random_tensor(random, {s.rows(), s.c});
    const Over other_side = s.over_edges() ? Over::nodes : Over::edges;

    const at::Tensor expanded = expand(others, other_side, s.incidence);
    const at::Tensor linear = s.over_edges() ? incidence_linear(others, rows, s.incidence)
                                             : incidence_linear(rows, others, s.incidence);

    EXPECT_TRUE(at::equal(expanded, tensor_of(reference::weigh(s.ends(), list_of(others), s.c, {}, 1), s.c)));
    EXPECT_TRUE(at::equal(linear, expanded + expand(rows, s.over, s.incidence)));
  });
}

TEST(MemberLinear, AddsWhatTheMembersOfTheHyperedgeHave) {
  for_each_sample([](const Sample& s, Random& random) {
    const at::Tensor own = random_tensor(random, {s.incidence.nodes(), s.c});
    const at::Tensor members = random_tensor(random, {s.incidence.nodes(), s.c});
    EXPECT_TRUE(
        at::equal(member_linear(own, members, Pool::mean, s.incidence),
                  incidence_linear(own, gather_mean(members, Over::edges, s.incidence), s.incidence)));
    EXPECT_TRUE(at::equal(member_linear(own, members, Pool::sum, s.incidence),
                          incidence_linear(own, gather_sum(members, Over::edges, s.incidence), s.incidence)));
  });
}

/// Hyperedge 0 = {0, 1, 2}, hyperedge 1 = {}, hyperedge 2 = {1}; node 3 is isolated.
class SegmentByHand : public testing::Test {
 protected:
  static Hypergraph small() {
    const std::vector<Index> edge{0, 0, 0, 2};
    const std::vector<Index> node{0, 1, 2, 1};
    return {4, 3, {edge, node, {}}};
  }
  static at::Tensor column(const std::vector<double>& entries) {
    return torch::tensor(entries, torch::kDouble).unsqueeze(1);
  }

  Incidence incidence_{small()};
};

TEST_F(SegmentByHand, EmptySegmentsGiveZeros) {
  const at::Tensor x = column({-1, -2, -4, -8});
  EXPECT_TRUE(at::equal(gather_sum(x, Over::edges, incidence_), column({-7, 0, -2})));
  EXPECT_TRUE(at::equal(gather_max(x, Over::edges, incidence_), column({-1, 0, -2})));
  EXPECT_TRUE(
      at::equal(gather_mean(column({-1, -2, -4}), Over::nodes, incidence_), column({-1, -2.5, -1, 0})));
}

TEST_F(SegmentByHand, TheFirstOfEqualEntriesGetsTheGradientOfTheMaximum) {
  const auto result = with_gradients(
      [&](const std::vector<at::Tensor>& in) { return gather_max(in[0], Over::edges, incidence_); },
      {column({5, 5, 5, 5})});
  const at::Tensor flowed_in =
      with_gradients([&](const std::vector<at::Tensor>& in) { return in[0] * 1.0; }, {column({0, 0, 0})})[1];
  EXPECT_EQ(result[1][0].item<double>(), flowed_in[0].item<double>());
  EXPECT_EQ(result[1][1].item<double>(), flowed_in[2].item<double>());
  EXPECT_EQ(result[1][2].item<double>(), 0.0);
  EXPECT_EQ(result[1][3].item<double>(), 0.0);
}

TEST_F(SegmentByHand, NotANumberIsNotHidden) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const auto& entries : {std::vector<double>{nan, 1, 2, 3}, {1, nan, 2, 3}, {1, 2, nan, 3}})
    EXPECT_TRUE(std::isnan(gather_max(column(entries), Over::edges, incidence_)[0].item<double>()));
}

TEST_F(SegmentByHand, SoftmaxOfLargeNumbersIsFinite) {
  const at::Tensor y = segment_softmax(column({1000, 1000, -1000, 1e300}), Over::edges, incidence_);
  EXPECT_TRUE(at::equal(y, column({0.5, 0.5, 0, 1})));
}

TEST_F(SegmentByHand, TrailingDimensionsAreKept) {
  const at::Tensor x = at::arange(24, at::kDouble).view({4, 2, 3});
  const at::Tensor y = gather_sum(x, Over::edges, incidence_);
  EXPECT_EQ(y.sizes(), (std::vector<std::int64_t>{3, 2, 3}));
  EXPECT_TRUE(at::equal(y.view({3, 6}), gather_sum(x.view({4, 6}), Over::edges, incidence_)));
  EXPECT_EQ(gather_sum(x.select(2, 0).select(1, 0), Over::edges, incidence_).sizes(),
            (std::vector<std::int64_t>{3}));
  EXPECT_EQ(expand(x, Over::nodes, incidence_).sizes(), (std::vector<std::int64_t>{4, 2, 3}));
  EXPECT_EQ(gather_sum(at::ones({4, 0}, at::kDouble), Over::edges, incidence_).sizes(),
            (std::vector<std::int64_t>{3, 0}));
}

TEST_F(SegmentByHand, WorksInInferenceModeAndOnTensorsThatAreNotContiguous) {
  const c10::InferenceMode guard;
  const at::Tensor x = at::arange(8, at::kDouble).view({2, 4}).t();
  EXPECT_TRUE(
      at::equal(gather_sum(x, Over::edges, incidence_), gather_sum(x.contiguous(), Over::edges, incidence_)));
  EXPECT_TRUE(at::equal(segment_softmax(x, Over::nodes, incidence_),
                        segment_softmax(x.contiguous(), Over::nodes, incidence_)));
}

}  // namespace
}  // namespace dshn::ops::test
