// dshn reproduce, from outside.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/subprocess.hpp"

namespace dshn::cli::test {
namespace {

using testing::HasSubstr;

TEST(Reproduce, ListsTheExperiments) {
  const Outcome outcome = dshn({"reproduce", "--list", "--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;

  std::vector<std::string> names;
  for (const auto& entry : outcome.json()) names.push_back(entry["name"]);
  EXPECT_THAT(names, testing::UnorderedElementsAre("real-world", "synthetic", "charges", "q-effect", "depth",
                                                   "stalk", "maps", "hyperlinks", "hyperedges", "cost",
                                                   "equal-parameters", "statistics", "ablation"));
}

TEST(Reproduce, SuggestsTheNearestName) {
  const Outcome outcome = dshn({"reproduce", "staistics"});

  EXPECT_EQ(outcome.status, 2);
  EXPECT_TRUE(outcome.one_line());
  EXPECT_THAT(outcome.err, HasSubstr("did you mean statistics?"));
}

TEST(Reproduce, RefusesASearchWhereOptionsAreFixed) {
  EXPECT_EQ(dshn({"reproduce", "depth", "--trials", "3"}).status, 2);
}

TEST(Reproduce, NamesMissingDataAndRendersWhatItWrote) {
  const Scratch scratch;
  const Outcome made = dshn({"reproduce", "statistics", "--data", "molecular-2,synthetic-generated-io10",
                             "--out", scratch.at("results"), "--json"});
  ASSERT_EQ(made.status, 0) << made.err;
  EXPECT_THAT(made.err, HasSubstr("molecular-2 is not here"));
  EXPECT_EQ(made.json()["name"], "statistics");
  EXPECT_EQ(made.json()["provenance"]["command"],
            "dshn reproduce statistics --data molecular-2,synthetic-generated-io10 --splits 10 --seed 0 "
            "--device cpu");
  const std::string first = read_file(scratch.path() / "results" / "statistics.md");

  const Outcome rendered = dshn({"reproduce", "--render", scratch.at("results")});

  EXPECT_EQ(rendered.status, 0) << rendered.err;
  EXPECT_EQ(read_file(scratch.path() / "results" / "statistics.md"), first);
  EXPECT_THAT(first, HasSubstr("| synthetic-generated-io10 | ours | 500 |"));
}

TEST(Reproduce, MakesPointsInProcessesOfTheirOwn) {
  const Scratch scratch;
  const Arguments command{
      "reproduce", "synthetic", "--data", "synthetic-io10", "--models", "components,head-share",
      "--quick",   "--jobs",    "2",      "--json",         "--out",    scratch.at("results")};
  const Outcome made = dshn(command);
  ASSERT_EQ(made.status, 0) << made.err;

  EXPECT_EQ(made.json()["cells"].size(), 2U);
  EXPECT_EQ(made.json()["quick"], true);
  EXPECT_GT(made.json()["cells"][0]["test"]["mean"], 50);
}

TEST(Reproduce, InterruptedSaysHowToGoOn) {
  for (const char* jobs : {"1", "2"}) {
    const Scratch scratch;
    const Scratch output;
    const pid_t process = start_dshn({"reproduce", "synthetic", "--data", "synthetic-io10", "--models",
                                      "dshn,hgnn", "--jobs", jobs, "--out", scratch.at("results")},
                                     {}, output.path());
    std::this_thread::sleep_for(std::chrono::seconds(2));
    kill(process, SIGINT);

    EXPECT_EQ(wait_for(process), 128 + SIGINT);
    EXPECT_FALSE(std::filesystem::exists(scratch.path() / "results" / "synthetic.json"));
  }
}

TEST(Reproduce, ComparesModelsOnTheSplitsOfSeveralSeeds) {
  const Scratch scratch;
  const auto command = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words{"reproduce", "synthetic",
                                   "--data",    "synthetic-io10",
                                   "--models",  "components,head-share",
                                   "--splits",  "2",
                                   "--seed",    "100",
                                   "--seeds",   "3",
                                   "--compare", "head-share",
                                   "--out",     scratch.at("results")};
    words.insert(words.end(), more.begin(), more.end());
    return dshn(words);
  };
  const Outcome made = command({"--jobs", "2", "--json"});
  ASSERT_EQ(made.status, 0) << made.err;

  const nlohmann::json document = made.json();
  const nlohmann::json row = document["comparisons"]["rows"][0];
  double sum = 0;
  for (std::size_t i = 0; i < 6; ++i)
    sum += document["cells"][1]["splits"][i]["test"].get<double>() -
           document["cells"][0]["splits"][i]["test"].get<double>();
  EXPECT_EQ(document["cells"][1]["model"], "head-share");
  EXPECT_EQ(document["cells"][0]["splits"][5]["seed"], 102);
  EXPECT_EQ(row["n"], 6);
  EXPECT_NEAR(row["mean"].get<double>(), sum / 6, 1e-9);
  EXPECT_THAT(document["provenance"]["command"].get<std::string>(),
              HasSubstr("--seed 100 --seeds 3 --compare head-share"));
  const std::string page = read_file(scratch.path() / "results" / "synthetic.md");
  EXPECT_THAT(page, HasSubstr("Paired comparisons on the same splits and seeds:"));
  EXPECT_THAT(page, HasSubstr("with n - 1 below the line"));
  ASSERT_EQ(dshn({"reproduce", "--render", scratch.at("results")}).status, 0);
  EXPECT_EQ(read_file(scratch.path() / "results" / "synthetic.md"), page);
  EXPECT_EQ(command({"--as-stored", "--json"}).json()["comparisons"], document["comparisons"]);
}

TEST(Reproduce, RefusesComparisonsThatCannotBe) {
  const std::vector<std::pair<Arguments, const char*>> cases{
      {{"reproduce", "depth", "--compare", "dshn,hgn"}, "hgnn"},
      {{"reproduce", "depth", "--compare", "dhgnn"},
       "dhgnn cannot be compared: the table depth has no such model"},
      {{"reproduce", "all", "--compare", "dshn"}, "--compare: is for one experiment"}};
  for (const auto& [arguments, expected] : cases) {
    const Outcome outcome = dshn(arguments);
    EXPECT_EQ(outcome.status, 2) << outcome.err;
    EXPECT_TRUE(outcome.one_line()) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(expected));
  }
}

TEST(Reproduce, GathersPointsHoweverTheyWereMade) {
  const Scratch scratch;
  const auto command = [&](const char* model, const std::vector<std::string>& more) {
    std::vector<std::string> words{"reproduce", "synthetic", "--data", "synthetic-io10",     "--models",
                                   model,       "--json",    "--out",  scratch.at("results")};
    words.insert(words.end(), more.begin(), more.end());
    return dshn(words);
  };
  EXPECT_EQ(command("components", {"--as-stored"}).status, 2) << "there is nothing yet";
  ASSERT_EQ(command("components", {"--splits", "2"}).status, 0);
  ASSERT_EQ(command("head-share", {"--splits", "3"}).status, 0);

  const Outcome gathered = command("components,head-share,dshn", {"--as-stored"});

  ASSERT_EQ(gathered.status, 0) << gathered.err;
  const auto cells = gathered.json()["cells"];
  ASSERT_EQ(cells.size(), 3U);
  EXPECT_FALSE(cells[0].contains("test"));
  EXPECT_EQ(cells[1]["request"]["splits"], 2);
  EXPECT_EQ(cells[2]["request"]["splits"], 3);
  EXPECT_FALSE(cells[1]["made"]["commit"].get<std::string>().empty());
  const std::string page = read_file(scratch.path() / "results" / "synthetic.md");
  EXPECT_THAT(page, HasSubstr("| 1 | preset or defaults | 0 | 2 |"));
  EXPECT_THAT(page, HasSubstr("| 1 | preset or defaults | 0 | 3 |"));
}

}  // namespace
}  // namespace dshn::cli::test
