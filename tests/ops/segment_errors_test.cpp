// Wrong arguments of the segment operators name the argument, what was expected and what came.
#include <ATen/core/dispatch/Dispatcher.h>

#include "dshn/ops/segment.hpp"
#include "ops/support.hpp"

namespace dshn::ops::test {
namespace {

/// Two hyperedges {0, 1, 2} and {1} on four nodes: n = 4, m = 2, nnz = 4.
class SegmentErrors : public testing::Test {
 protected:
  static Hypergraph small() {
    const std::vector<Index> edge{0, 0, 0, 1};
    const std::vector<Index> node{0, 1, 2, 1};
    return {4, 2, {edge, node, {}}};
  }
  static at::Tensor ones(at::IntArrayRef shape, at::ScalarType type = at::kDouble) {
    return at::ones(shape, type);
  }

  Incidence incidence_{small()};
};

TEST_F(SegmentErrors, RowsThatDoNotFit) {
  EXPECT_EQ(usage_error([&] {
              gather_sum(ones({2, 3}), Over::edges, incidence_);
            }),
            "x: expected Float or Double [4, *] on cpu, got Double [2, 3] on cpu");
  EXPECT_EQ(usage_error([&] {
              gather_max(ones({4, 3}), Over::nodes, incidence_);
            }),
            "x: expected Float or Double [2, *] on cpu, got Double [4, 3] on cpu");
  EXPECT_EQ(usage_error([&] { segment_sum(ones({5}), Over::nodes, incidence_); }),
            "values: expected Float or Double [4] on cpu, got Double [5] on cpu");
  EXPECT_EQ(usage_error([&] {
              segment_softmax(ones({5, 2}), Over::nodes, incidence_);
            }),
            "values: expected Float or Double [4, *] on cpu, got Double [5, 2] on cpu");
  EXPECT_EQ(usage_error([&] {
              expand(ones({4, 2}), Over::edges, incidence_);
            }),
            "rows: expected Float or Double [2, *] on cpu, got Double [4, 2] on cpu");
  EXPECT_EQ(usage_error([&] { gather_sum(ones({}), Over::edges, incidence_); }),
            "x: expected at least one dimension, got Double [] on cpu");
}

TEST_F(SegmentErrors, WrongTypesAndDevices) {
  EXPECT_EQ(usage_error([&] {
              gather_mean(ones({4, 3}, at::kInt), Over::edges, incidence_);
            }),
            "x: expected Float or Double [4, *] on cpu, got Int [4, 3] on cpu");
  EXPECT_EQ(usage_error([&] {
              gather_mean(ones({4, 3}).to(at::kMeta), Over::edges, incidence_);
            }),
            "x: expected Float or Double [4, *] on cpu, got Double [4, 3] on meta");
}

TEST_F(SegmentErrors, CoefficientsThatDoNotFit) {
  EXPECT_EQ(usage_error([&] {
              gather_sum(ones({4, 3}), ones({3}), Over::edges, incidence_);
            }),
            "coefficients: expected Float or Double [4] on cpu, got Double [3] on cpu");
  EXPECT_EQ(usage_error([&] {
              gather_sum(ones({4, 3}), ones({4}, at::kFloat), Over::edges, incidence_);
            }),
            "coefficients: expected the type of the rows, Double, got Float [4] on cpu");
  EXPECT_EQ(
      usage_error([&] {
        gather_sum(ones({4, 3}), ones({4, 2}), Over::edges, incidence_);
      }),
      "x: expected [rows, c] with c a multiple of the 2 heads of the coefficients, got Double [4, 3] on cpu");
}

TEST_F(SegmentErrors, PartsOfTheLinearLayerThatDoNotFit) {
  EXPECT_EQ(usage_error([&] {
              incidence_linear(ones({4, 3}), ones({2, 4}), incidence_);
            }),
            "edge_rows: expected Float or Double [2, 3] on cpu, got Double [2, 4] on cpu");
  EXPECT_EQ(usage_error([&] {
              incidence_linear(ones({4, 3}), ones({2, 3}, at::kFloat), incidence_);
            }),
            "edge_rows: expected the type of the node_rows, Double, got Float [2, 3] on cpu");
  EXPECT_EQ(usage_error([&] {
              member_linear(ones({4, 3}), ones({4, 2}), Pool::mean, incidence_);
            }),
            "member_rows: expected Float or Double [4, 3] on cpu, got Double [4, 2] on cpu");
}

TEST_F(SegmentErrors, UnknownSideInTheRegisteredOperator) {
  using Signature = at::Tensor(const at::Tensor&, std::string, const c10::intrusive_ptr<IncidenceViews>&);
  const auto op = c10::Dispatcher::singleton().findSchemaOrThrow("dshn::expand", "").typed<Signature>();
  EXPECT_EQ(usage_error([&] {
              op.call(ones({2, 3}), "members", incidence_.views());
            }),
            "over: expected \"edges\" or \"nodes\", got \"members\"");
}

}  // namespace
}  // namespace dshn::ops::test
