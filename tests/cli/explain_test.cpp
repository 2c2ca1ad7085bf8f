// dshn explain, from outside.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/subprocess.hpp"

namespace dshn::cli::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::SizeIs;

/// Deals between sellers (tails) and buyers (heads), eight of each, and a club of all sellers.
std::string deals(const Scratch& scratch) {
  std::vector<std::string> nodes;
  std::vector<std::string> incidences;
  const auto join = [&](const std::string& edge, const std::string& node, const char* direction) {
    incidences.push_back(
        fmt::format(R"({{"edge":"{}","node":"{}","direction":"{}"}})", edge, node, direction));
  };
  for (int i = 0; i < 8; ++i) {
    nodes.push_back(fmt::format(R"({{"node":"seller {}","attrs":{{"label":0}}}})", i));
    nodes.push_back(fmt::format(R"({{"node":"buyer {}","attrs":{{"label":1}}}})", i));
    for (int k = 0; k < 3; ++k) {
      join(fmt::format("deal {}", i), fmt::format("seller {}", (i + k) % 8), "tail");
      join(fmt::format("deal {}", i), fmt::format("buyer {}", (i + 2 * k) % 8), "head");
    }
    join("club", fmt::format("seller {}", i), "tail");
  }
  return scratch.file("deals.hif.json",
                      fmt::format(R"({{"network-type":"directed","nodes":[{}],"incidences":[{}]}})",
                                  fmt::join(nodes, ","), fmt::join(incidences, ",")));
}

class Explain : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    scratch = std::make_unique<Scratch>();
    const Outcome outcome =
        dshn({"train", "--data", deals(*scratch), "--device", "cpu", "--splits", "1", "--set", "epochs=30",
              "--set", "layers=1", "--set", "features=constant", "--out", run()});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
  }
  static void TearDownTestSuite() { scratch.reset(); }
  static std::string run() { return scratch->at("run"); }

  static std::unique_ptr<Scratch> scratch;
};
std::unique_ptr<Scratch> Explain::scratch;

TEST_F(Explain, NamesHyperedgesMembersRolesAndFeatures) {
  const Outcome outcome = dshn({"explain", run(), "--node", "seller 3"});

  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("node seller 3: class "), HasSubstr("its true class is 0"),
                                 HasSubstr("DSHN on deals"), HasSubstr("with all its roles turned around"),
                                 HasSubstr("Effect: by how much the log-odds")));
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("deal 3"), HasSubstr("club"), HasSubstr("tail"), HasSubstr("head"),
                                 HasSubstr("seller 3, seller 4, seller 5 → buyer 3, buyer 5, buyer 7"),
                                 HasSubstr("constant")));
}

TEST_F(Explain, PrintsTheSameAsJson) {
  const Outcome outcome = dshn({"explain", run(), "--node", "buyer 4", "--json", "--top", "4"});

  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const nlohmann::json found = outcome.json();
  EXPECT_EQ(found["item"], "node");
  EXPECT_EQ(found["id"], "buyer 4");
  EXPECT_EQ(found["true"], "1");
  ASSERT_EQ(found["hyperedges"].size(), 3U);
  for (const auto& one : found["hyperedges"]) {
    EXPECT_EQ(one["role"], "head");
    EXPECT_THAT(one["heads"].get<std::vector<std::string>>(), testing::Contains("buyer 4"));
    EXPECT_TRUE(one["turned"]["effect"].is_number());
  }
  EXPECT_THAT(found["members"], SizeIs(4));
  EXPECT_EQ(found["checks"]["members"]["candidates"], 15);
  EXPECT_EQ(found["checks"]["estimated_by"], "maps");
  EXPECT_EQ(found["features"][0]["id"], "constant");
  EXPECT_EQ(found["roles"][0]["role"], "head");
}

TEST_F(Explain, SaysTheSameForAnyNumberOfThreads) {
  const Arguments asked{"explain", run(), "--node", "seller 1", "--json"};
  EXPECT_EQ(dshn(asked, {{"OMP_NUM_THREADS=1", "DSHN_NUM_THREADS=1"}}).out,
            dshn(asked, {{"OMP_NUM_THREADS=3", "DSHN_NUM_THREADS=3"}}).out);
}

TEST_F(Explain, ExplainsItemsOfOtherData) {
  const std::string other = scratch->file("other.hif.json", R"({"network-type":"directed","incidences":[
    {"edge":"x","node":"new one","direction":"tail"},{"edge":"x","node":"new two","direction":"head"}]})");

  const Outcome outcome = dshn({"explain", run(), "--data", other, "--node", "new two", "--json"});

  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.json()["hyperedges"][0]["id"], "x");
  EXPECT_TRUE(outcome.json()["true"].is_null());
}

TEST_F(Explain, WrongRequestsAreOneLine) {
  const std::vector<std::tuple<Arguments, int, const char*>> cases{
      {{"explain", run(), "--node", "sellar 3"}, 2, "the nearest names are seller 3"},
      {{"explain", run(), "--node", "Methuselah"}, 2, "the first are named"},
      {{"explain", run(), "--hyperedge", "deal 3"}, 2, "classifies nodes; name one with --node"},
      {{"explain", run()}, 2, "name one with --node"},
      {{"explain", run(), "--node", "a", "--hyperedge", "b"}, 2, "--hyperedge"},
      {{"explain", run(), "--node", "seller 3", "--top", "0"}, 2, "--top"},
      {{"explain", run(), "--node", "seller 3", "--split", "7"}, 3, "split-07"},
      {{"explain", scratch->at("nowhere"), "--node", "x"}, 3, "nowhere"}};
  for (const auto& [arguments, status, says] : cases) {
    const Outcome outcome = dshn(arguments);
    EXPECT_EQ(outcome.status, status) << outcome.err;
    EXPECT_TRUE(outcome.one_line()) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(says));
    EXPECT_EQ(outcome.out, "");
  }
}

TEST(ExplainNumbers, AreNamesToo) {
  const Scratch scratch;
  const std::string run = scratch.at("run");
  ASSERT_EQ(dshn({"train", "--data", "synthetic-generated-io10", "--device", "cpu", "--splits", "1", "--set",
                  "epochs=2", "--model", "hgnn", "--out", run})
                .status,
            0);

  const Outcome known = dshn({"explain", run, "--node", "499", "--json"});
  const Outcome unknown = dshn({"explain", run, "--node", "500"});

  ASSERT_EQ(known.status, 0) << known.err;
  EXPECT_EQ(known.json()["id"], 499);
  EXPECT_EQ(known.json()["checks"]["estimated_by"], "features");
  EXPECT_EQ(unknown.status, 2);
  EXPECT_THAT(unknown.err, HasSubstr("they are named 0 to 499"));
}

}  // namespace
}  // namespace dshn::cli::test
