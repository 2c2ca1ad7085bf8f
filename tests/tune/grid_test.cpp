#include <gtest/gtest.h>

#include <set>

#include "dshn/base/error.hpp"
#include "dshn/tune/sampler.hpp"
#include "tune/toy_study.hpp"

namespace dshn::tune {
namespace {

using test::numbers;

TEST(Grid, CoversEverythingOnce) {
  const SearchSpace space{numbers("a", 4), numbers("b", 3), {"c", {"x", "y"}}};
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    std::set<Configuration> seen;
    for (int number = 0; number < 24; ++number)
      seen.insert(make_sampler("grid", seed)->propose(space, {}, number));
    EXPECT_EQ(seen.size(), 24U);
  }
}

TEST(Grid, RefusesWhatNobodyCanCover) {
  const SearchSpace space(20, numbers("a", 9));
  EXPECT_THROW(make_sampler("grid", 0)->propose(space, {}, 0), UsageError);
}

}  // namespace
}  // namespace dshn::tune
