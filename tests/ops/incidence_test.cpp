#include "dshn/ops/incidence.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "dshn/base/error.hpp"
#include "ops/support.hpp"

namespace dshn::ops::test {
namespace {

TEST(Incidence, StandsOnTheMemoryOfTheHypergraph) {
  Random random(1);
  const Hypergraph h = random_small(random, false);

  const Incidence incidence(h);

  EXPECT_EQ(incidence.by_edge().ptr.data_ptr(), h.edge_ptr().data());
  EXPECT_EQ(incidence.by_edge().split.data_ptr(), h.head_begin().data());
  EXPECT_EQ(incidence.by_edge().index.data_ptr(), h.member_nodes().data());
  EXPECT_EQ(incidence.by_node().ptr.data_ptr(), h.node_ptr().data());
  EXPECT_EQ(incidence.by_node().split.data_ptr(), h.node_head_begin().data());
  EXPECT_EQ(incidence.by_node().index.data_ptr(), h.node_edges().data());
  EXPECT_EQ(incidence.by_node().position.data_ptr(), h.node_incidences().data());
}

TEST(Incidence, OutlivesTheHypergraph) {
  Random random(1);
  auto h = std::make_unique<Hypergraph>(random_small(random, false));
  const std::weak_ptr<const void> owner = h->owner();
  auto incidence = std::make_unique<Incidence>(*h);
  const at::Tensor copy = incidence->by_edge().index.clone();
  h.reset();

  EXPECT_FALSE(owner.expired());
  EXPECT_TRUE(at::equal(incidence->by_edge().index, copy));
  incidence.reset();
  EXPECT_TRUE(owner.expired()) << "nothing else keeps the memory";
}

TEST(Incidence, CutsLongRowsIntoPieces) {
  Random random(23);
  const Incidence incidence(random_large(random));
  EXPECT_GT(incidence.by_edge().pieces.size(0) + incidence.by_node().pieces.size(0), 0);
}

at::Tensor longs(const std::vector<std::int64_t>& values) {
  return torch::tensor(values, torch::kLong);
}
at::Tensor ints(const std::vector<std::int32_t>& values) {
  return torch::tensor(values, torch::kInt);
}

TEST(Incidence, IsMadeOfTheViewByHyperedge) {
  Random random(2);
  for (int sample = 0; sample < 50; ++sample) {
    const Incidence whole(random_small(random, false));
    const View& view = whole.by_edge();
    const Incidence made(view.ptr, view.split, view.index, whole.nodes());

    EXPECT_TRUE(at::equal(made.by_edge().index, view.index));
    EXPECT_TRUE(at::equal(made.by_node().ptr, whole.by_node().ptr));
    EXPECT_TRUE(at::equal(made.by_node().split, whole.by_node().split));
    EXPECT_TRUE(at::equal(made.by_node().index, whole.by_node().index));
    EXPECT_TRUE(at::equal(made.by_node().position, whole.by_node().position));
  }
}

TEST(Incidence, IsMadeOfTheRowsOfASparseMatrix) {
  // [[0, 1, 1], [0, 0, 0], [1, 0, 1]]
  const Incidence rows = Incidence::of_rows(longs({0, 2, 2, 4}), ints({1, 2, 0, 2}), 3);

  EXPECT_EQ(rows.edges(), 3);
  EXPECT_TRUE(at::equal(rows.by_edge().split, longs({2, 2, 4}))) << "all are tails";
  EXPECT_TRUE(at::equal(rows.by_node().ptr, longs({0, 1, 2, 4})));
  EXPECT_TRUE(at::equal(rows.by_node().index, ints({2, 0, 0, 2})));
  EXPECT_TRUE(at::equal(rows.by_node().position, longs({2, 0, 1, 3})));
}

TEST(Incidence, RefusesRowsThatAreNone) {
  const auto error = [](const at::Tensor& ptr, const at::Tensor& columns) {
    return usage_error([&] { Incidence::of_rows(ptr, columns, 3); });
  };
  EXPECT_EQ(error(longs({0, 2}), ints({0, 3})), "columns: expected numbers from 0 to 2, got 0 to 3");
  EXPECT_EQ(error(longs({0, 2}), ints({-1, 0})), "columns: expected numbers from 0 to 2, got -1 to 0");
  EXPECT_EQ(error(longs({0, 2}), ints({1, 0})),
            "columns: expected those of each row in ascending order, got another order after entry 0");
  EXPECT_EQ(error(longs({0, 3}), ints({1, 0})), "row_ptr: expected offsets from 0 to nnz = 2, got 0 to 3");
  EXPECT_EQ(error(longs({0, 2}), longs({0, 1})), "columns: expected Int [2] on cpu, got Long [2] on cpu");
}

TEST(Incidence, CutsHyperedgesInHalves) {
  // {0, 1} -> {2} and {3} -> {0}.
  const Incidence halves = Incidence(longs({0, 3, 5}), longs({2, 4}), ints({0, 1, 2, 3, 0}), 4).halves();
  EXPECT_EQ(halves.edges(), 4);
  EXPECT_TRUE(at::equal(halves.by_edge().ptr, longs({0, 2, 3, 4, 5})));
  EXPECT_TRUE(at::equal(halves.by_edge().split, longs({2, 3, 4, 5}))) << "no heads are left";
  EXPECT_TRUE(at::equal(halves.by_edge().index, ints({0, 1, 2, 3, 0})));
  EXPECT_TRUE(at::equal(halves.by_node().ptr, longs({0, 2, 3, 4, 5})));
  EXPECT_TRUE(at::equal(halves.by_node().index, ints({0, 3, 0, 1, 2})));
  EXPECT_TRUE(at::equal(halves.by_node().position, longs({0, 4, 1, 2, 3})));
}

/// Hyperedges {0, 1} -> {2} and {3} -> {0} on four nodes, of which one tensor is another.
class BadIncidence : public testing::Test {
 protected:
  std::string error() const {
    return usage_error([&] { Incidence(edge_ptr_, edge_split_, edge_nodes_, nodes_); });
  }

  at::Tensor edge_ptr_ = longs({0, 3, 5});
  at::Tensor edge_split_ = longs({2, 4});
  at::Tensor edge_nodes_ = ints({0, 1, 2, 3, 0});
  std::int64_t nodes_ = 4;
};

TEST_F(BadIncidence, OfWrongTypesOrLengths) {
  edge_ptr_ = longs({0, 5});
  EXPECT_EQ(error(), "edge_ptr: expected Long [3] on cpu, got Long [2] on cpu");
  edge_ptr_ = ints({0, 3, 5});
  EXPECT_EQ(error(), "edge_ptr: expected Long [3] on cpu, got Int [3] on cpu");
  edge_ptr_ = at::Tensor();
  EXPECT_EQ(error(), "edge_ptr: expected one dimension, got nothing");
  edge_ptr_ = longs({0, 3, 5});
  edge_nodes_ = longs({0, 1, 2, 3, 0});
  EXPECT_EQ(error(), "edge_nodes: expected Int [5] on cpu, got Long [5] on cpu");
  edge_nodes_ = ints({0, 1, 2, 3, 0}).to(at::kMeta);
  EXPECT_EQ(error(), "edge_nodes: expected Int [5] on cpu, got Int [5] on meta");
  nodes_ = -1;
  EXPECT_EQ(error(), "nodes: expected a number from 0 to 2147483647, got -1");
}

TEST_F(BadIncidence, OfOffsetsThatAreNone) {
  edge_ptr_ = longs({1, 3, 5});
  EXPECT_EQ(error(), "edge_ptr: expected offsets from 0 to nnz = 5, got 1 to 5");
  edge_ptr_ = longs({0, 3, 6});
  EXPECT_EQ(error(), "edge_ptr: expected offsets from 0 to nnz = 5, got 0 to 6");
  edge_ptr_ = longs({0, 6, 5});
  EXPECT_EQ(error(), "edge_ptr: expected offsets that do not fall, got 6 to 5 in row 1");
  edge_ptr_ = longs({0, 3, 5});
  edge_split_ = longs({2, 6});
  EXPECT_EQ(error(), "edge_split: expected an offset from 3 to 5 in row 1, got 6");
}

TEST_F(BadIncidence, OfMembersThatAreNone) {
  edge_nodes_ = ints({1, 0, 2, 3, 0});
  EXPECT_EQ(
      error(),
      "edge_nodes: expected tails and heads of each hyperedge in ascending order, got node 1 at entry 0");
  edge_nodes_ = ints({0, 1, 2, 4, 0});
  EXPECT_THROW(Incidence(edge_ptr_, edge_split_, edge_nodes_, nodes_), InvalidInput);
  edge_nodes_ = ints({0, 1, 1, 3, 0});
  EXPECT_THROW(Incidence(edge_ptr_, edge_split_, edge_nodes_, nodes_), InvalidInput);
}

TEST(Incidence, OfNothingIsEmpty) {
  const Incidence incidence{Hypergraph()};

  EXPECT_EQ(incidence.nodes(), 0);
  EXPECT_EQ(incidence.edges(), 0);
  EXPECT_EQ(incidence.incidences(), 0);
}

}  // namespace
}  // namespace dshn::ops::test
