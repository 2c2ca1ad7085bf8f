// dshn plan: what it prints, against what trainings do, and what it refuses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "cli/subprocess.hpp"

namespace dshn::cli::test {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string some_data(const Scratch& scratch) {
  EXPECT_EQ(dshn({"data", "generate", "--kind", "random", "--nodes", "300", "--hyperedges", "300",
                  "--random-labels", "3", "--random-features", "4", "--out", scratch.at("data")})
                .status,
            0);
  return scratch.at("data");
}

Arguments sizes(const Arguments& more = {}) {
  Arguments words{"plan", "--nodes", "1000000", "--hyperedges", "1000000", "--incidences", "5000000"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

nlohmann::json planned(const Arguments& words) {
  Arguments all = words;
  all.emplace_back("--json");
  const Outcome outcome = dshn(all);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  return outcome.status == 0 ? outcome.json() : nlohmann::json();
}

TEST(Plan, SaysWhatATrainingSends) {
  const Scratch scratch;
  const std::string data = some_data(scratch);
  for (const std::string method : {"block", "random"}) {
    SCOPED_TRACE(method);
    const Arguments model{"--model", "dshn", "--set",       "hidden_width=8",
                          "--ranks", "3",    "--partition", method};
    Arguments plan{"plan", data};
    plan.insert(plan.end(), model.begin(), model.end());
    Arguments train{"train", "--data",  data,     "--set", "epochs=2",        "--splits",
                    "1",     "--quiet", "--json", "--out", scratch.at(method)};
    train.insert(train.end(), model.begin(), model.end());

    const nlohmann::json said = planned(plan);
    const Outcome outcome = dshn(train);

    ASSERT_EQ(outcome.status, 0) << outcome.err;
    const nlohmann::json sent = outcome.json().at("ranks");
    EXPECT_EQ(sent.at("count"), 3);
    EXPECT_GT(sent.at("epoch_bytes"), 0);
    EXPECT_EQ(sent.at("epoch_bytes").get<double>(), said.at("cpu").at("row_bytes").get<double>());
    EXPECT_EQ(sent.at("epoch_exchanges").get<double>(), said.at("cost").at("exchanges").get<double>());
    EXPECT_EQ(said.at("cut_is_guessed"), false);
  }
}

TEST(Plan, OfSizesAloneGuessesTheCutUnlessItIsTold) {
  const nlohmann::json guessed = planned(sizes({"--ranks", "8", "--model", "hgnn"}));
  EXPECT_EQ(guessed.at("cut_is_guessed"), true);
  // Five members in eight parts touch 8 (1 - (7/8)^5) of them.
  EXPECT_NEAR(guessed.at("cut").get<double>(), 1e6 * (8 * (1 - 0.875 * 0.875 * 0.875 * 0.875 * 0.875) - 1),
              1);

  const nlohmann::json told = planned(sizes({"--ranks", "8", "--model", "hgnn", "--cut", "1000"}));

  EXPECT_EQ(told.at("cut_is_guessed"), false);
  EXPECT_EQ(told.at("cpu").at("row_bytes").get<double>(),
            1000 * told.at("cost").at("bytes_of_cut").get<double>());
  EXPECT_LT(told.at("cpu").at("rank_bytes"), guessed.at("cpu").at("rank_bytes"));
  EXPECT_LT(told.at("cpu").at("epoch_seconds"), guessed.at("cpu").at("epoch_seconds"));
  EXPECT_LT(told.at("card").at("work_seconds"), told.at("cpu").at("work_seconds"));
}

TEST(Plan, IsOnePageThatNamesTheNextLimit) {
  const Outcome small = dshn(sizes({"--model", "hgnn"}));
  EXPECT_EQ(small.status, 0) << small.err;
  EXPECT_THAT(small.out, HasSubstr("5,000,000 incidences"));
  EXPECT_THAT(small.out, HasSubstr("an epoch"));
  EXPECT_THAT(small.out, Not(HasSubstr("messages")));

  const Outcome narrow = dshn(sizes({"--model", "hgnn", "--memory", "0.1"}));
  EXPECT_THAT(narrow.out, HasSubstr("next limit on CPUs: memory of a machine"));
  EXPECT_THAT(narrow.out, HasSubstr("too much"));

  const Outcome ids = dshn({"plan", "--nodes", "3000000000", "--hyperedges", "1000000", "--incidences",
                            "10000000000", "--model", "hgnn", "--memory", "1e6"});
  EXPECT_THAT(ids.out,
              HasSubstr("next limit on CPUs: 32-bit numbers of nodes and hyperedges, 140 %: too much"));
}

TEST(Plan, RefusesNonsenseInOneLine) {
  const Scratch scratch;
  const std::string data = some_data(scratch);
  const auto line = [&](const Arguments& words) {
    const Outcome outcome = dshn(words);
    EXPECT_EQ(outcome.status, 2) << outcome.err;
    EXPECT_TRUE(outcome.one_line()) << outcome.err;
    return outcome.err;
  };
  EXPECT_THAT(line({"plan"}), HasSubstr("--nodes is missing"));
  EXPECT_THAT(line({"plan", data, "--nodes", "5"}), HasSubstr("--nodes"));
  EXPECT_THAT(line({"plan", data, "--cut", "5"}), HasSubstr("--cut"));
  EXPECT_THAT(line(sizes({"--partition", "block"})), HasSubstr("nothing to divide"));
  EXPECT_THAT(line(sizes({"--nodes", "0"})), HasSubstr("--nodes"));
  EXPECT_THAT(line(sizes({"--ranks", "2", "--machines", "3"})), HasSubstr("2 ranks on 3 machines"));
  EXPECT_THAT(line(sizes({"--ranks", "2", "--cut", "1000001"})), HasSubstr("cut"));
  EXPECT_THAT(line(sizes({"--ranks", "2", "--cut", "-1"})), HasSubstr("cut"));
  EXPECT_THAT(line(sizes({"--model", "majority"})), HasSubstr("majority is a rule"));
  EXPECT_THAT(line(sizes({"--set", "colour=red"})), HasSubstr("colour"));
  EXPECT_THAT(line({"plan", "--nodes", "2", "--hyperedges", "2", "--incidences", "5"}),
              HasSubstr("a node is in a hyperedge once"));
  ASSERT_EQ(dshn({"data", "partition", data, "--parts", "2", "--out", scratch.at("parts")}).status, 0);
  EXPECT_THAT(line({"plan", scratch.at("parts"), "--ranks", "2"}), HasSubstr("is cut already"));
}

}  // namespace
}  // namespace dshn::cli::test
