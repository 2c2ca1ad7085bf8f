#include "dshn/hypergraph/name_index.hpp"

#include <gtest/gtest.h>

namespace dshn {
namespace {

TEST(NameIndex, FindsWordsAndIntegers) {
  const Names names(
      {Name::string("a"), Name::integer(7), Name::string("7"), Name::string(""), Name::integer(-3)});
  const NameIndex index(names, 5);

  EXPECT_EQ(index.find("a", false), 0);
  EXPECT_EQ(index.find("7", true), 1);
  EXPECT_EQ(index.find("7", false), 2);
  EXPECT_EQ(index.find("", false), 3);
  EXPECT_EQ(index.find("-3", true), 4);
  EXPECT_EQ(index.find("b", false), -1);
}

TEST(NameIndex, TakesTheSameTextOfTheOtherKindWhereThereIsNoBetter) {
  const NameIndex index(Names({Name::integer(7), Name::string("8")}), 2);

  EXPECT_EQ(index.find("7", false), 0);
  EXPECT_EQ(index.find("8", true), 1);
}

TEST(NameIndex, KnowsImplicitNames) {
  const NameIndex index(Names(), 3);

  EXPECT_EQ(index.find("2", true), 2);
  EXPECT_EQ(index.find("2", false), 2);
  for (const char* const text : {"3", "-1", "02", "2x", "", "99999999999"})
    EXPECT_EQ(index.find(text, true), -1) << text;
}

TEST(NameIndex, FindsEachOfManyNames) {
  std::vector<Name> names;
  for (int i = 0; i < 5000; ++i)
    names.push_back(i % 2 == 0 ? Name::integer(3 * i + 1) : Name::string(std::to_string(i)));
  const NameIndex index(Names(names), 5000);
  for (int i = 0; i < 5000; ++i) EXPECT_EQ(index.find(names[i].text, names[i].is_integer), i);
}

}  // namespace
}  // namespace dshn
