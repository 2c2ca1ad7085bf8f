#include "dshn/base/options.hpp"

#include <gmock/gmock.h>

#include "dshn/base/error.hpp"
#include "support/message_of.hpp"

namespace dshn {
namespace {

using test::message_of;
using ::testing::ElementsAre;

std::string refusal(const std::string& value) {
  const std::vector<OptionSpec> specs{
      combination_option("taste", "auto", {"auto", "sweet", "sour", "bitter"}, "of the dish")};
  return message_of<UsageError>([&] { Options(specs, {{"taste", value}}); });
}

TEST(CombinationOption, TakesItsDefaultAloneOrWordsJoinedByPlus) {
  const std::vector<OptionSpec> specs{
      combination_option("taste", "auto", {"auto", "sweet", "sour", "bitter"}, "of the dish")};
  EXPECT_TRUE(Options(specs, {}).is("taste", "auto"));
  EXPECT_THAT(Options(specs, {{"taste", "sour"}}).parts("taste"), ElementsAre("sour"));
  EXPECT_THAT(Options(specs, {{"taste", "sour+sweet"}}).parts("taste"), ElementsAre("sour", "sweet"));
  EXPECT_EQ(specs[0].expected(), "auto, or any of sweet, sour, bitter joined by +");
}

TEST(CombinationOption, RefusesUnknownRepeatedAndEmptyParts) {
  EXPECT_EQ(refusal("sweet+bittr"),
            "model option taste=sweet+bittr: unknown part 'bittr', did you mean 'bitter'?");
  const std::string expected = "expected auto, or any of sweet, sour, bitter joined by +";
  EXPECT_EQ(refusal("umami"), "model option taste=umami: unknown part 'umami', " + expected);
  EXPECT_EQ(refusal("auto+sour"), "model option taste=auto+sour: unknown part 'auto', " + expected);
  EXPECT_EQ(refusal("sour+sweet+sour"),
            "model option taste=sour+sweet+sour: 'sour' is there twice, expected each part once");
  for (const char* value : {"", "+", "sour+", "+sour", "sour++sweet"})
    EXPECT_EQ(refusal(value), std::string("model option taste=") + value + ": a part is empty, " + expected);
}

std::string fault_of_even(const std::string& value) {
  return value.size() % 2 == 0 ? "" : "expected an even number of letters";
}

TEST(TextOption, TakesAnyTextThatHasNoFault) {
  OptionSpec even = text_option("pair", "auto", "of letters", fault_of_even);
  even.words = {"one"};
  const std::vector<OptionSpec> specs{text_option("any", "", "of words"), even};

  EXPECT_EQ(Options(specs, {{"any", "what = ever"}}).text("any"), "what = ever");
  EXPECT_EQ(Options(specs, {{"pair", "ab"}}).text("pair"), "ab");
  EXPECT_EQ(Options(specs, {{"pair", "one"}}).text("pair"), "one");
  EXPECT_EQ(message_of<UsageError>([&] {
              Options(specs, {{"pair", "abc"}}, "other option");
            }),
            "other option pair=abc: expected an even number of letters");
  EXPECT_EQ(message_of<UsageError>([&] {
              Options(specs, {{"pear", "ab"}}, "other option");
            }),
            "unknown other option 'pear', did you mean 'pair'?");
}

}  // namespace
}  // namespace dshn
