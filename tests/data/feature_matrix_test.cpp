#include "dshn/data/feature_matrix.hpp"

#include <gmock/gmock.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

namespace dshn::data {
namespace {

RC_GTEST_PROP(FeatureMatrix, ByEntriesIsTheSameMatrix, ()) {
  const auto rows = *rc::gen::inRange<Index>(0, 6);
  const auto cols = *rc::gen::inRange<Index>(60, 80);
  std::vector<float> values(static_cast<std::size_t>(rows) * cols, 0.0F);
  const bool ones = *rc::gen::arbitrary<bool>();
  for (int i = 0; i < rows * *rc::gen::inRange(0, 9); ++i)
    values[*rc::gen::inRange<std::size_t>(0, values.size())] = ones ? 1.0F : static_cast<float>(i) - 2;
  const Features dense(rows, cols, values);

  const Features compact = dense.compact();

  RC_ASSERT(compact == dense);
  RC_ASSERT(compact.dense_values() == values);
  const auto entries = static_cast<Offset>(values.size()) - std::count(values.begin(), values.end(), 0.0F);
  RC_ASSERT(compact.sparse() == (cols >= 64 && 12 * entries <= static_cast<Offset>(values.size())));
}

TEST(FeatureMatrix, CopiesShareTheNumbers) {
  const Features given(2, 2, {1, 2, 3, 4});
  const Features copy = given;  // NOLINT(performance-unnecessary-copy-initialization): that is the test
  EXPECT_EQ(copy.values().data(), given.values().data());
  EXPECT_EQ(copy.memory_bytes(), 16U);
}

TEST(FeatureMatrix, OnesNeedNoValues) {
  std::vector<float> values(192, 0.0F);
  values[70] = 1;
  EXPECT_TRUE(Features(3, 64, values).compact().values().empty());
  values[71] = 2;
  EXPECT_THAT(Features(3, 64, values).compact().values(), ::testing::ElementsAre(1, 2));
}

}  // namespace
}  // namespace dshn::data
