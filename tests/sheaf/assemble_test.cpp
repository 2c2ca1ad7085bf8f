#include "dshn/sheaf/assemble.hpp"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "dshn/base/parallel.hpp"
#include "sheaf/eigen.hpp"
#include "sheaf/random_sheaf.hpp"

namespace dshn::test {
namespace {

using sheaf::DirectedSheaf;
using sheaf::Form;

/// {0,1} -> {2} and {1,2}; node 3 is isolated.
Hypergraph small_hypergraph() {
  const std::vector<Index> edge{0, 0, 0, 1, 1};
  const std::vector<Index> node{0, 1, 2, 1, 2};
  const std::vector<Role> role{Role::tail, Role::tail, Role::head, Role::tail, Role::tail};
  return {4, 2, {edge, node, role}};
}

DirectedSheaf sheaf_with(const sheaf::MapKind& kind, std::int64_t d) {
  Random random(3);
  return {small_hypergraph(), 0.2, sheaf::random_maps(kind, 5, d, random), d};
}

TEST(Assemble, CountsPairsAndBlocks) {
  EXPECT_EQ(sheaf::member_pairs(small_hypergraph()), 9 + 4);
  EXPECT_EQ(sheaf::block_count(small_hypergraph()), 9 + 1);
}

TEST(Assemble, DiagonalMapsGiveDiagonalBlocks) {
  const DirectedSheaf sheaf = sheaf_with(sheaf::map_kind("diagonal"), 3);
  const sheaf::CsrMatrix matrix = sheaf::assemble(sheaf, Form::L);
  EXPECT_EQ(matrix.entries(), 10 * 3);
  EXPECT_FALSE(matrix.real);
  EXPECT_EQ(sheaf::assembled_cost(sheaf, 10).multiply_adds, matrix.entries() * 4);
  const auto bytes = matrix.values.size() * sizeof(Complex) +
                     (matrix.col.size() + matrix.row_ptr.size()) * sizeof(std::int64_t);
  EXPECT_EQ(sheaf::assembled_cost(sheaf, 10).bytes, static_cast<std::int64_t>(bytes));
}

TEST(Assemble, GeneralMapsGiveFullBlocks) {
  const DirectedSheaf sheaf = sheaf_with(sheaf::map_kind("general"), 3);
  EXPECT_EQ(sheaf::assemble(sheaf, Form::Q_N).entries(), 10 * 9);
  EXPECT_EQ(sheaf::assembled_cost(sheaf, 10).multiply_adds, 10 * 9 * 4);
  // Two gathers of 5 incidences, 3 x 3 real maps on two planes.
  EXPECT_EQ(sheaf::matrix_free_cost(sheaf).multiply_adds, 2 * 5 * 9 * 2);
}

TEST(Assemble, ColumnsAscendWithinARow) {
  const sheaf::CsrMatrix matrix = sheaf::assemble(sheaf_with(sheaf::map_kind("general"), 2), Form::L_N);
  ASSERT_EQ(matrix.row_ptr.size(), 9U);
  for (std::int64_t r = 0; r < matrix.dimension; ++r) {
    for (std::int64_t i = matrix.row_ptr[r] + 1; i < matrix.row_ptr[r + 1]; ++i) {
      EXPECT_LT(matrix.col[i - 1], matrix.col[i]);
    }
  }
}

TEST(Assemble, TrivialMapsOfAnyStalkDimensionAgreeWithTheOperator) {
  const DirectedSheaf sheaf(small_hypergraph(), 0.3, at::ones({5, 1}, at::kDouble), 2);
  for (const Form form : {Form::L, Form::L_N, Form::I_minus_Q_N}) {
    EXPECT_LT(distance(to_eigen(sheaf::assemble(sheaf, form)), images(sheaf, form)), 1e-15);
  }
}

TEST(Assemble, DoesNotDependOnTheNumberOfThreads) {
  Random random(5);
  std::vector<Index> edge;
  std::vector<Index> node;
  for (Index e = 0; e < 200; ++e) {
    for (const Index u : random.sample(500, 6)) {
      edge.push_back(e);
      node.push_back(u);
    }
  }
  const Hypergraph h(500, 200, {edge, node, {}});
  const DirectedSheaf sheaf(h, 0.1, sheaf::random_maps(sheaf::map_kind("general"), 1200, 2, random), 2);
  set_thread_count(1);
  const sheaf::CsrMatrix one = sheaf::assemble(sheaf, Form::L_N);
  set_thread_count(7);
  const sheaf::CsrMatrix seven = sheaf::assemble(sheaf, Form::L_N);
  set_thread_count(0);
  EXPECT_EQ(one.col, seven.col);
  EXPECT_EQ(one.values, seven.values);
}

}  // namespace
}  // namespace dshn::test
