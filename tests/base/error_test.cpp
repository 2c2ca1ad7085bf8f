#include "dshn/base/error.hpp"

#include <gtest/gtest.h>

namespace dshn {
namespace {

TEST(Error, IsOneLineWhateverItShowsOfAFile) {
  EXPECT_STREQ(InvalidInput("seed = 5\nC\r; expected a number").what(), "seed = 5\\nC\\r; expected a number");
}

TEST(Error, KeepsAMessageOfOneLineAsItIs) {
  EXPECT_STREQ(UsageError("no model 'é'\t").what(), "no model 'é'\t");
}

}  // namespace
}  // namespace dshn
