#include "ranks/own_address.hpp"

#include <gtest/gtest.h>

namespace dshn::ranks {
namespace {

TEST(OwnAddress, IsTheOneFromWhichTheOtherIsReached) {
  EXPECT_EQ(own_address("127.0.0.1", 29500), "127.0.0.1");
  EXPECT_EQ(own_address("127.0.0.5", 29500).substr(0, 4), "127.");
}

TEST(OwnAddress, IsEmptyWhereThereIsNoWay) {
  EXPECT_EQ(own_address("no such host", 29500), "");
  EXPECT_EQ(own_address("", 70000), "");
}

}  // namespace
}  // namespace dshn::ranks
