#include "parts/rows.hpp"

#include <gmock/gmock.h>

namespace dshn::parts {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(RowsOf, TakesRowsInTheGivenOrder) {
  const data::Features dense(3, 2, std::vector<float>{1, 2, 3, 4, 5, 6});
  EXPECT_EQ(rows_of(dense, {2, 0}), data::Features(2, 2, std::vector<float>{5, 6, 1, 2}));
}

TEST(RowsOf, KeepsEntriesEntries) {
  const data::Features sparse(3, 4, data::Features::Entries{{0, 1, 1, 3}, {2, 0, 3}, {7, 8, 9}});
  const data::Features rows = rows_of(sparse, {1, 2});
  EXPECT_TRUE(rows.sparse());
  EXPECT_EQ(rows, data::Features(2, 4, std::vector<float>{0, 0, 0, 0, 8, 0, 0, 9}));
}

TEST(RowsOf, GivesNoneOfNone) {
  EXPECT_EQ(rows_of(data::Features(), {0, 1}).cols(), 0);
  EXPECT_THAT(elements_of(std::vector<int>(), {0, 1}), IsEmpty());
}

TEST(ElementsOf, TakesRunsOfAWidth) {
  EXPECT_THAT(elements_of(std::vector<int>{1, 2, 3, 4, 5, 6}, {2, 0}, 2), ElementsAre(5, 6, 1, 2));
}

}  // namespace
}  // namespace dshn::parts
