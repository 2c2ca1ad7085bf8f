#include "dshn/ops/incidence.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "ops/support.hpp"

namespace dshn::ops::test {
namespace {

TEST(Incidence, StandsOnTheMemoryOfTheHypergraph) {
  Random random(1);
  const Hypergraph h = random_small(random, false);

  const Incidence incidence(h);

  EXPECT_EQ(incidence.by_edge.ptr.data_ptr(), h.edge_ptr().data());
  EXPECT_EQ(incidence.by_edge.split.data_ptr(), h.head_begin().data());
  EXPECT_EQ(incidence.by_edge.index.data_ptr(), h.member_nodes().data());
  EXPECT_EQ(incidence.by_node.ptr.data_ptr(), h.node_ptr().data());
  EXPECT_EQ(incidence.by_node.split.data_ptr(), h.node_head_begin().data());
  EXPECT_EQ(incidence.by_node.index.data_ptr(), h.node_edges().data());
  EXPECT_EQ(incidence.by_node.position.data_ptr(), h.node_incidences().data());
}

TEST(Incidence, OutlivesTheHypergraph) {
  Random random(1);
  auto h = std::make_unique<Hypergraph>(random_small(random, false));
  const std::weak_ptr<const void> owner = h->owner();
  auto incidence = std::make_unique<Incidence>(*h);
  const at::Tensor copy = incidence->by_edge.index.clone();
  h.reset();

  EXPECT_FALSE(owner.expired());
  EXPECT_TRUE(at::equal(incidence->by_edge.index, copy));
  incidence.reset();
  EXPECT_TRUE(owner.expired()) << "nothing else keeps the memory";
}

TEST(Incidence, OfNothingIsEmpty) {
  const Incidence incidence{Hypergraph()};

  EXPECT_EQ(incidence.nodes(), 0);
  EXPECT_EQ(incidence.edges(), 0);
  EXPECT_EQ(incidence.incidences(), 0);
}

}  // namespace
}  // namespace dshn::ops::test
