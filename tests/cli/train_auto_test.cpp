// dshn train --auto, from outside.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <sstream>
#include <thread>

#include "cli/subprocess.hpp"

namespace dshn::cli::test {
namespace {

using testing::HasSubstr;
using testing::Not;

/// A search that tries the defaults of every model on one split and no more; `more` adds to it, or replaces a flag
/// that may be given once.
Arguments tiny_search(const std::string& out, const Arguments& more = {}) {
  Arguments arguments{"train", "--threads", "1", "--quiet", "--set", "epochs=3", "--set", "hidden_width=4"};
  const std::vector<std::pair<std::string, std::string>> once{{"--data", "synthetic-generated-io10"},
                                                              {"--auto", "0.0000001"},
                                                              {"--splits", "2"},
                                                              {"--device", "cpu"},
                                                              {"--out", out}};
  for (const auto& [flag, value] : once)
    if (std::find(more.begin(), more.end(), flag) == more.end())
      arguments.insert(arguments.end(), {flag, value});
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

std::vector<std::string> models_of(const nlohmann::json& search) {
  std::vector<std::string> models;
  for (const auto& candidate : search["candidates"]) models.push_back(candidate["model"]);
  return models;
}

/// Over all epochs: there are fewer than count around the best one.
double mean_validation(const std::string& metrics) {
  std::istringstream lines(read_file(metrics));
  double sum = 0;
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count)
    sum += nlohmann::json::parse(line)["val"].get<double>();
  return sum / count;
}

TEST(TrainAuto, GoesFromDataToATrainedModelInOneCommand) {
  const Scratch scratch;
  const std::string run = scratch.at("run");

  const Outcome outcome = dshn(tiny_search(run, {"--json"}));

  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const auto result = outcome.json();
  const auto& search = result["auto"];
  const std::vector<std::string> models = models_of(search);
  double best = 0;
  for (const auto& candidate : search["candidates"]) {
    EXPECT_EQ(candidate["validation"].size(), 1U);
    EXPECT_FALSE(candidate.contains("test")) << "test figures are of the winner alone";
    best = std::max(best, candidate["mean"].get<double>());
  }
  EXPECT_THAT(models, testing::ElementsAre("majority", "linear", "hgnn", "gedi-hnn", "dshn-light", "dshn"));
  const auto& winner = search["candidates"][search["winner"].get<std::size_t>()];
  EXPECT_EQ(winner["mean"], best);
  EXPECT_EQ(result["model"], winner["model"]);
  EXPECT_EQ(result["splits"].size(), 2U);
  EXPECT_DOUBLE_EQ(mean_validation(run + "/split-00/metrics.jsonl"), winner["validation"][0].get<double>())
      << "the winner is trained as it was tried";
  EXPECT_EQ(nlohmann::json::parse(read_file(run + "/auto.json")), search);
  EXPECT_EQ(dshn({"evaluate", run, "--json"}).json()["test"]["mean"], result["test"]["mean"]);
  EXPECT_EQ(dshn({"predict", run}).status, 0);

  const Outcome again = dshn(tiny_search(scratch.at("again"), {"--json"}));
  for (std::size_t i = 0; i < models.size(); ++i)
    EXPECT_EQ(again.json()["auto"]["candidates"][i]["validation"], search["candidates"][i]["validation"]);
}

TEST(TrainAuto, PrintsALeaderboardAndWhatTheHypergraphAdds) {
  const Scratch scratch;
  const Outcome outcome = dshn(tiny_search(scratch.at("run")));

  ASSERT_EQ(outcome.status, 0) << outcome.err;
  for (const char* word :
       {"Majority", "Linear", "HGNN", "GeDi-HNN", "DSHNLight", "DSHN", "validation accuracy over 1 split",
        "the hypergraph adds", "test   ", "run folder: "})
    EXPECT_THAT(outcome.out, HasSubstr(word));
}

TEST(TrainAuto, WithAModelTriesThatBesideWhatItIsMeasuredAgainst) {
  const Scratch scratch;
  const Outcome outcome = dshn(tiny_search(scratch.at("run"), {"--model", "hnhn", "--json"}));

  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(models_of(outcome.json()["auto"]), testing::ElementsAre("majority", "linear", "hnhn"));
}

TEST(TrainAuto, RefusesWrongUsageBeforeItWritesAnything) {
  const Scratch scratch;
  const std::string preset = scratch.file("p.toml", "[set]\nlr = \"0.1\"\n");
  const auto before = scratch.contents();
  const std::vector<std::pair<Arguments, const char*>> cases{{{"--set", "heads=4"}, "'heads'"},
                                                             {{"--set", "lr=fast"}, "lr"},
                                                             {{"--preset", preset}, "auto or none"},
                                                             {{"--auto", "0"}, "--auto"},
                                                             {{"--model", "dhsn"}, "did you mean 'dshn'?"},
                                                             {{"--data", "telegam"}, "telegam"}};
  for (const auto& [more, expected] : cases) {
    const Outcome outcome = dshn(tiny_search(scratch.at("run"), more));
    EXPECT_TRUE(outcome.status == 2 || (more[0] == "--data" && outcome.status == 3)) << outcome.err;
    EXPECT_TRUE(outcome.one_line()) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(expected));
    EXPECT_EQ(scratch.contents(), before);
  }
}

TEST(TrainAuto, StoppedSaysHowToGoOnAndGoesOn) {
  const Scratch scratch;
  const Scratch output;
  const std::string run = scratch.at("run");
  const pid_t process = start_dshn(tiny_search(run, {"--auto", "60"}), {}, output.path());
  while (!std::filesystem::exists(run + "/auto.json"))
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  kill(process, SIGINT);

  EXPECT_EQ(wait_for(process), 128 + SIGINT);
  const std::string said = read_file(output.path() / "stderr");
  EXPECT_THAT(said, testing::EndsWith("go on with: dshn train --resume --out " + run + "\n"));
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
  const auto before = nlohmann::json::parse(read_file(run + "/auto.json"));
  EXPECT_FALSE(before["finished"].get<bool>());

  const Outcome other = dshn(tiny_search(run));
  EXPECT_EQ(other.status, 2);
  EXPECT_THAT(other.err, HasSubstr("--resume to go on with it or --force to replace it"));

  const Outcome resumed = dshn({"train", "--resume", "--out", run, "--auto", "0.001", "--json", "--quiet"});
  ASSERT_EQ(resumed.status, 0) << resumed.err;
  const auto after = resumed.json()["auto"];
  EXPECT_TRUE(after["finished"].get<bool>());
  EXPECT_EQ(after["candidates"][0]["validation"][0], before["candidates"][0]["validation"][0]);
  EXPECT_EQ(dshn(tiny_search(run, {"--force"})).status, 0);
}

TEST(TrainAuto, TriesThePresetsOfBuiltInSetsFirst) {
  const Scratch scratch;
  scratch.file("share/presets/synthetic-generated-io10/hgnn.toml",
               "[set]\nself_loops = \"false\"\nlayers = \"3\"\n");
  const auto hgnn_of = [&](const std::string& run, const Arguments& more) {
    const Outcome outcome =
        dshn(tiny_search(scratch.at(run), more), {{"DSHN_SHARE_DIR=" + scratch.at("share")}});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return outcome.json()["auto"]["candidates"][2];
  };
  const auto with = hgnn_of("with", {"--json"});
  EXPECT_EQ(with["set"]["layers"], "3");
  EXPECT_THAT(with["preset"].get<std::string>(), testing::EndsWith("hgnn.toml"));
  EXPECT_EQ(hgnn_of("without", {"--json", "--preset", "none"})["preset"], "");
}

}  // namespace
}  // namespace dshn::cli::test
