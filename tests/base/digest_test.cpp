#include "dshn/base/digest.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace dshn {
namespace {

std::string of(std::string_view bytes) {
  return Digest().add(bytes).text();
}

TEST(Digest, TellsApartWhatDiffersInOneBitOrInLength) {
  std::set<std::string> seen{of("")};
  const std::string text(37, 'a');
  for (std::size_t length = 1; length <= text.size(); ++length) {
    EXPECT_TRUE(seen.insert(of(text.substr(0, length))).second) << length;
    EXPECT_TRUE(seen.insert(of(text.substr(0, length - 1) + '\0')).second) << length;
  }
  for (std::size_t bit = 0; bit < 8 * text.size(); ++bit) {
    std::string other = text;
    other[bit / 8] = static_cast<char>(other[bit / 8] ^ (1 << (bit % 8)));
    EXPECT_TRUE(seen.insert(of(other)).second) << bit;
  }
}

TEST(Digest, KnowsTheOrderAndTheBordersOfWhatWasAdded) {
  EXPECT_NE(Digest().add("ab").add("c").text(), Digest().add("a").add("bc").text());
  EXPECT_NE(Digest().add(1).add(2).text(), Digest().add(2).add(1).text());
  const std::vector<int> values{1, 2, 3};
  EXPECT_EQ(Digest().add(std::span<const int>(values)).text(),
            Digest().add(std::span<const int>(values)).text());
}

TEST(Digest, IsTheSameInEveryVersion) {
  EXPECT_EQ(Digest().add("dshn").text(), "bc5fe018a35ffdb1");
}

}  // namespace
}  // namespace dshn
