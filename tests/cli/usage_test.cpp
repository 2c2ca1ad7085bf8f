#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "cli/subprocess.hpp"

namespace dshn::cli::test {
namespace {

using testing::HasSubstr;

TEST(Usage, VersionAndHelp) {
  EXPECT_THAT(dshn({"--version"}).out, testing::MatchesRegex("dshn [0-9]+\\.[0-9]+\\.[0-9]+\n"));
  for (const Arguments& arguments :
       {Arguments{"--help"}, Arguments{"data", "--help"}, Arguments{"data", "list", "--help"},
        Arguments{"data", "info", "--help"}, Arguments{"data", "generate", "--help"},
        Arguments{"data", "convert", "--help"}, Arguments{"data", "validate", "--help"},
        Arguments{"data", "fetch", "--help"}}) {
    const Outcome outcome = dshn(arguments);
    EXPECT_EQ(outcome.status, 0);
    EXPECT_THAT(outcome.out, HasSubstr("Usage: dshn"));
    EXPECT_EQ(outcome.err, "");
  }
}

TEST(Usage, HelpSaysWhatTheExitStatusMeans) {
  EXPECT_THAT(dshn({"--help"}).out,
              HasSubstr("3 bad input data, 130 stopped by Ctrl-C (SIGINT), 143 by SIGTERM."));
}

struct WrongUsage {
  const char* name;
  Arguments arguments;
  const char* says;
};

std::ostream& operator<<(std::ostream& stream, const WrongUsage& usage) {
  return stream << usage.name;
}

const WrongUsage kWrongUsages[] = {
    {"Nothing", {}, "needs a command"},
    {"NoDataCommand", {"data"}, "list, info, generate, convert, validate, fetch"},
    {"UnknownCommand", {"dta", "list"}, "did you mean data?"},
    {"UnknownDataCommand", {"data", "infos", "cora"}, "did you mean info?"},
    {"UnknownCommandNothingNear", {"data", "zzzzzz"}, "'dshn data --help'"},
    {"UnknownOption", {"data", "info", "cora", "--jsn"}, "did you mean --json?"},
    {"UnknownOptionWithValue", {"data", "generate", "--sed=3", "--out", "x"}, "did you mean --seed?"},
    {"NegativeSeed", {"data", "generate", "--seed", "-1", "--out", "x"}, "'-1' is no seed"},
    {"SeedPastTheLast",
     {"data", "generate", "--seed", "18446744073709551616", "--out", "x"},
     "from 0 to 2^64 - 1"},
    {"MissingArgument", {"data", "info"}, "WHAT"},
    {"SurplusArgument", {"data", "validate", "a", "b"}, "b"},
    {"ConflictRule", {"data", "info", "cora", "--on-conflict=maybe"}, "keep-tail"},
    {"DirectionRule", {"data", "info", "cora", "--missing-direction=x"}, "undirected"},
    {"TailColumn", {"data", "info", "cora", "--tail-column=2"}, "--tail-column"},
    {"GeneratorKind", {"data", "generate", "--kind", "nice", "--out", "x"}, "synthetic"},
    {"NoKind", {"data", "generate", "--out", "x"}, "--kind"},
    {"NoOut", {"data", "generate", "--kind", "synthetic"}, "--out"},
    {"SeedIsNoNumber", {"data", "generate", "--kind", "synthetic", "--seed", "x", "--out", "x"}, "--seed"},
    {"NegativeCount", {"data", "generate", "--kind", "synthetic", "--nodes", "-4", "--out", "x"}, "--nodes"},
    {"OptionOfTheOtherKind",
     {"data", "generate", "--kind", "random", "--inter", "3", "--out", "x"},
     "--inter"},
    {"NoSuchDataSet", {"data", "info", "corra"}, "cora"},
    {"CompareWithUnknown", {"data", "info", "cora", "--compare", "corra"}, "cora"},
    {"FetchUnknown", {"data", "fetch", "corra"}, "cora"},
};

class WrongUsageTest : public testing::TestWithParam<WrongUsage> {};

TEST_P(WrongUsageTest, IsExplainedInOneLine) {
  const Outcome outcome = dshn(GetParam().arguments);

  EXPECT_EQ(outcome.status, 2) << outcome.err;
  EXPECT_TRUE(outcome.one_line()) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr(GetParam().says));
  EXPECT_EQ(outcome.out, "");
}

INSTANTIATE_TEST_SUITE_P(Cli, WrongUsageTest, testing::ValuesIn(kWrongUsages),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace dshn::cli::test
