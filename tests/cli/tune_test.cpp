// dshn tune, from outside.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <set>
#include <thread>

#include "cli/screen.hpp"
#include "cli/subprocess.hpp"
#include "dshn/base/random.hpp"

namespace dshn::cli::test {
namespace {

using testing::HasSubstr;
using testing::Not;

/// A quick study; `more` adds to it.
Arguments small_study(const std::string& out, const Arguments& more = {}) {
  Arguments arguments{
      "tune",     "--data", "synthetic-generated-io10", "--model",  "hgnn", "--device", "cpu", "--set",
      "epochs=4", "--set",  "hidden_width=8",           "--splits", "2",    "--out",    out};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

TEST(Tune, LeavesAPresetThatTrainUses) {
  const Scratch scratch;
  const std::string study = scratch.at("study");

  const Outcome tuned = dshn(small_study(study, {"--trials", "4", "--jobs", "2", "--json", "--final-splits",
                                                 "2", "--preset-out", scratch.at("preset.toml")}));
  ASSERT_EQ(tuned.status, 0) << tuned.err;
  const Outcome trained =
      dshn({"train", "--data", "synthetic-generated-io10", "--model", "hgnn", "--device", "cpu", "--preset",
            scratch.at("preset.toml"), "--splits", "2", "--out", scratch.at("run"), "--json"});
  ASSERT_EQ(trained.status, 0) << trained.err;

  const nlohmann::json summary = tuned.json();
  EXPECT_EQ(summary["trials_finished"], 4);
  EXPECT_EQ(trained.json()["val"], summary["best"]["validation"]);
  EXPECT_EQ(trained.json()["test"], summary["final"]["test"]);
  EXPECT_EQ(nlohmann::json::parse(read_file(scratch.path() / "study" / "study.json")), summary);
  EXPECT_EQ(read_file(scratch.path() / "study" / "best.toml"), read_file(scratch.at("preset.toml")));
  EXPECT_THAT(
      read_file(scratch.at("preset.toml")),
      HasSubstr("# dshn tune --data synthetic-generated-io10 --model hgnn --trials 4 --splits 2 --sampler "
                "tpe --seed 0 --device cpu --set epochs=4 --set hidden_width=8 --final-splits 2\n"));
}

TEST(Tune, TriesAPresetFirst) {
  const Scratch scratch;
  const std::string preset = scratch.file("preset.toml", "[set]\nlr = \"0.003\"\npatience = \"3\"\n");

  const Outcome tuned =
      dshn(small_study(scratch.at("study"), {"--trials", "3", "--json", "--start", preset}));

  ASSERT_EQ(tuned.status, 0) << tuned.err;
  const nlohmann::json summary = tuned.json();
  for (const auto& trial : summary["trials"]) {
    if (trial["number"] == 0) {
      EXPECT_EQ(trial["set"]["lr"], "0.003");
    }
  }
  EXPECT_THAT(summary["command"].get<std::string>(), HasSubstr("--start " + preset));
  EXPECT_THAT(summary["command"].get<std::string>(), HasSubstr("--set patience=3"));
  EXPECT_EQ(dshn({"tune", "--resume", "--out", scratch.at("study"), "--start", preset}).status, 2);
  const Outcome torn = dshn(small_study(scratch.at("other"), {"--start", preset, "--set", "patience=4"}));
  EXPECT_EQ(torn.status, 2);
  EXPECT_THAT(torn.err, HasSubstr("has patience=3, but --set says 4"));
}

TEST(Tune, TriesSeveralPresetsFirst) {
  const Scratch scratch;
  const std::string one = scratch.file("one.toml", "[set]\nlr = \"0.003\"\npatience = \"3\"\n");
  const std::string two = scratch.file("two.toml", "[set]\nlr = \"0.004\"\npatience = \"3\"\n");
  const std::string other = scratch.file("other.toml", "[set]\nlr = \"0.005\"\n");
  const auto study = [&](const Arguments& more) { return dshn(small_study(scratch.at("study"), more)); };

  const Outcome torn = study({"--start", one, "--start", other});
  EXPECT_EQ(torn.status, 2);
  EXPECT_TRUE(torn.one_line()) << torn.err;
  EXPECT_THAT(torn.err,
              HasSubstr("has patience=3, but " + other + " has 200; --space patience=3,200 tries both"));
  EXPECT_THAT(study({"--start", one, "--start", one}).err, HasSubstr("is the same configuration as " + one));
  EXPECT_THAT(study({"--start", one, "--start", two, "--trials", "1"}).err,
              HasSubstr("--trials 1: are fewer than the 2 presets of --start"));
  const Outcome tuned = study({"--trials", "3", "--json", "--start", one, "--start", two});

  ASSERT_EQ(tuned.status, 0) << tuned.err;
  const nlohmann::json summary = tuned.json();
  std::map<int, std::string> rates;
  for (const auto& trial : summary["trials"]) rates[trial["number"]] = trial["set"]["lr"];
  EXPECT_EQ(rates[0], "0.003");
  EXPECT_EQ(rates[1], "0.004");
  EXPECT_THAT(summary["command"].get<std::string>(), HasSubstr(" --start " + one + " --start " + two));
}

TEST(Tune, ConfirmsTheBestTrialsOnFreshSplits) {
  const Scratch scratch;
  const std::string study = scratch.at("study");
  const Outcome tuned = dshn(small_study(study, {"--trials", "4", "--no-halving", "--jobs", "2", "--confirm",
                                                 "3", "--confirm-splits", "2", "--json"}));
  ASSERT_EQ(tuned.status, 0) << tuned.err;

  const nlohmann::json summary = tuned.json();
  const nlohmann::json& confirmation = summary["confirmation"];
  EXPECT_EQ(confirmation["seed"], 1000);
  ASSERT_EQ(confirmation["trials"].size(), 3U);
  EXPECT_EQ(confirmation["winner"], confirmation["trials"][0]["number"]);
  EXPECT_EQ(summary["best"]["number"], confirmation["winner"]);
  EXPECT_THAT(tuned.out, Not(HasSubstr("\"test\"")));
  EXPECT_THAT(tuned.err, HasSubstr("again: trial "));
  const std::string preset = read_file(scratch.path() / "study" / "best.toml");
  EXPECT_THAT(preset, HasSubstr("over 2 splits of seed 1000, the best of 3 trials that were trained again"));
  EXPECT_THAT(preset, HasSubstr(" --confirm 3 --confirm-splits 2"));
  const Outcome trained =
      dshn({"train", "--data", "synthetic-generated-io10", "--model", "hgnn", "--device", "cpu", "--preset",
            study + "/best.toml", "--splits", "2", "--seed", "1000", "--out", scratch.at("run"), "--json"});
  ASSERT_EQ(trained.status, 0) << trained.err;
  EXPECT_EQ(trained.json()["val"], confirmation["trials"][0]["validation"]);

  const Outcome again = dshn({"tune", "--resume", "--out", study});
  ASSERT_EQ(again.status, 0) << again.err;
  EXPECT_EQ(again.err, "") << "nothing was left to do";
  EXPECT_THAT(again.out, HasSubstr("over 2 fresh splits of seed 1000, the best of 3 trials"));
  const Outcome more = dshn({"tune", "--resume", "--out", study, "--confirm", "4"});
  EXPECT_EQ(std::count(more.err.begin(), more.err.end(), '\n'), 1) << more.err;
}

TEST(Tune, PrintsALeaderboardAndWhatMattered) {
  const Scratch scratch;
  const Outcome outcome = dshn(small_study(scratch.at("study"), {"--trials", "3"}));
  ASSERT_EQ(outcome.status, 0) << outcome.err;

  EXPECT_THAT(outcome.out, HasSubstr("HGNN on synthetic-generated-io10: 3 trials"));
  EXPECT_THAT(outcome.out, HasSubstr(" completed trials, but from 20 on\n"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("\x1b")));
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 3) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("trial 0 completed: "));
}

TEST(Tune, RedrawsTheLeaderboardOnATerminal) {
  const Scratch scratch;
  const Outcome watched = dshn_on_terminal(small_study(scratch.at("study"), {"--trials", "6"}));

  EXPECT_EQ(watched.status, 0) << watched.out;
  EXPECT_THAT(watched.out, HasSubstr("6 of 6 trials finished"));
  EXPECT_THAT(watched.out, HasSubstr("A\r\r\x1b[J"));
}

TEST(Tune, LeavesNoStaleLineOnATerminalThatBecomesNarrow) {
  const Scratch scratch;
  NarrowingScreen screen("of 6 trials finished", 44);

  const Outcome outcome =
      dshn_on_terminal(small_study(scratch.at("study"), {"--trials", "6"}), {}, std::ref(screen));

  EXPECT_EQ(outcome.status, 0) << outcome.out;
  EXPECT_TRUE(screen.narrowed());
  EXPECT_THAT(screen.text(), testing::StartsWith("HGNN on synthetic-generated-io10"));
  EXPECT_THAT(screen.text(), Not(HasSubstr("trials finished")));
}

TEST(Tune, AGridIsCoveredOnce) {
  const Scratch scratch;
  const Outcome outcome = dshn(small_study(
      scratch.at("study"), {"--sampler", "grid", "--set", "dropout=0.5", "--set", "self_loops=false", "--set",
                            "weight_decay=0", "--space", "lr=0.01,0.02", "--space", "layers=2,3",
                            "--no-halving", "--quiet", "--json", "--jobs", "2"}));
  ASSERT_EQ(outcome.status, 0) << outcome.err;

  EXPECT_EQ(outcome.err, "");
  std::set<std::string> seen;
  const nlohmann::json summary = outcome.json();
  for (const auto& trial : summary["trials"]) seen.insert(trial["set"].dump());
  EXPECT_EQ(seen.size(), 4U);
  EXPECT_EQ(summary["states"]["completed"], 4);
}

TEST(Tune, RefusesWrongUsageBeforeItWritesAnything) {
  const Scratch scratch;
  const std::vector<std::pair<Arguments, const char*>> cases{
      {{"--space", "layrs=2"}, "did you mean 'layers'?"},
      {{"--space", "layers=1,99"}, "1..32"},
      {{"--space", "layers"}, "expected name=value"},
      {{"--space", "epochs=4,5"}, "--set or to --space, not to both"},
      {{"--set", "lr=fast"}, "lr"},
      {{"--sampler", "annealing"}, "sampler annealing: expected one of tpe, random, grid"},
      {{"--objective", "luck"}, "--objective"},
      {{"--trials", "99999"}, "configurations, and none is tried twice"},
      {{"--model", "components"}, "nothing to tune"},
      {{"--preset-out", scratch.at("nowhere/best.toml")}, "there is no such folder"},
      {{"--trials", "3", "--confirm", "4"}, "--confirm 4: there are only 3 trials"},
      {{"--trials", "0"}, "--trials"}};
  for (const auto& [more, expected] : cases) {
    Arguments arguments = small_study(scratch.at("study"), more);
    if (more[0] == "--model") arguments.erase(arguments.begin() + 3, arguments.begin() + 5);
    const Outcome outcome = dshn(arguments);
    EXPECT_EQ(outcome.status, 2) << outcome.err;
    EXPECT_TRUE(outcome.one_line()) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(expected));
    EXPECT_THAT(scratch.contents(), testing::IsEmpty());
  }
}

TEST(Tune, GoesOnWithTheSameStudyOnly) {
  const Scratch scratch;
  const std::string study = scratch.at("study");
  ASSERT_EQ(dshn(small_study(study, {"--trials", "2"})).status, 0);

  const std::vector<std::pair<Arguments, const char*>> cases{
      {small_study(study, {"--trials", "2"}), "add --resume"},
      {{"tune", "--resume", "--out", study, "--data", "cora"}, "--data synthetic-generated-io10, not cora"},
      {{"tune", "--resume", "--out", study, "--model", "dshn"}, "--model hgnn, not dshn"},
      {{"tune", "--resume", "--out", study, "--seed", "1"}, "--seed 0, not 1"},
      {{"tune", "--resume", "--out", study, "--seeds", "2"}, "--seeds 1, not 2"},
      {{"tune", "--resume", "--out", study, "--objective", "steady"}, "--objective best, not steady"},
      {{"tune", "--resume", "--out", study, "--space", "lr=0.5"},
       "--space lr 0.02,0.01,0.005,0.001, not 0.5"},
      {{"tune", "--resume", "--out", study, "--set", "lr=0.5"}, "--set lr free, not 0.5"},
      {{"tune", "--resume", "--out", study, "--no-halving"}, "--halving true, not false"},
      {{"tune", "--resume", "--out", study, "--trials", "1"}, "has begun 2 already"}};
  for (const auto& [arguments, expected] : cases) {
    const Outcome outcome = dshn(arguments);
    EXPECT_EQ(outcome.status, 2) << outcome.err;
    EXPECT_TRUE(outcome.one_line()) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(expected));
  }
  const Outcome more = dshn({"tune", "--resume", "--out", study, "--trials", "5", "--json"});
  ASSERT_EQ(more.status, 0) << more.err;
  EXPECT_EQ(more.json()["trials_finished"], 5);
}

TEST(Tune, RefusesAFolderThatHoldsSomethingElse) {
  const Scratch scratch;
  scratch.file("study/thesis.txt", "all of it");
  const Outcome outcome = dshn(small_study(scratch.at("study"), {"--resume"}));
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("is not empty and holds no study"));
}

/// A study that would go on for long, once it has said something with this text in it.
pid_t start_study(const std::string& study, std::vector<std::string> flags, const std::string& said,
                  const Scratch& output) {
  flags.insert(flags.end(), {"--trials", "300"});
  const pid_t process = start_dshn(small_study(study, flags), {}, output.path());
  for (std::string heard; heard.empty() || heard.find(said) == std::string::npos;
       heard = read_file(output.path() / "stderr"))
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  return process;
}

TEST(Tune, InterruptedSaysHowToGoOn) {
  const Scratch scratch;
  const Scratch output;
  const std::string study = scratch.at("study");
  const pid_t process = start_study(study, {"--jobs", "2"}, "", output);
  kill(process, SIGINT);

  EXPECT_EQ(wait_for(process), 128 + SIGINT);
  EXPECT_THAT(read_file(output.path() / "stderr"),
              HasSubstr("go on with: dshn tune --resume --out " + study + " --jobs 2\n"));
  const auto summary = nlohmann::json::parse(read_file(scratch.path() / "study" / "study.json"));
  EXPECT_EQ(summary["states"]["running"], 0);
  EXPECT_EQ(summary["trials_finished"].get<std::size_t>() + summary["states"]["waiting"].get<std::size_t>(),
            summary["trials"].size());
}

TEST(Tune, AskedTwiceAtOnceStopsAsIfAskedOnce) {
  const Scratch scratch;
  const Scratch output;
  const std::string study = scratch.at("study");
  const pid_t process = start_study(study, {"--jobs", "2"}, "", output);
  kill(process, SIGINT);
  std::this_thread::sleep_for(std::chrono::milliseconds(10));  // or the kernel would make one signal of both
  kill(process, SIGINT);

  EXPECT_EQ(wait_for(process), 128 + SIGINT);
  EXPECT_THAT(read_file(output.path() / "stderr"), HasSubstr("go on with: dshn tune --resume"));
}

TEST(Tune, StoppedLeavesTheBestSoFar) {
  const Scratch scratch;
  const Scratch output;
  const std::string study = scratch.at("study");
  const pid_t process = start_study(study, {}, "completed", output);
  kill(process, SIGINT);

  EXPECT_EQ(wait_for(process), 128 + SIGINT);
  EXPECT_THAT(read_file(scratch.path() / "study" / "best.toml"), HasSubstr("of 300 asked for"));
}

TEST(Tune, KilledTenTimesEndsWithEveryTrialOnce) {
  const Scratch scratch;
  const Scratch output;
  const std::string study = scratch.at("study");
  const Arguments arguments = small_study(
      study, {"--set", "patience=1000", "--set", "epochs=60", "--trials", "40", "--jobs", "3", "--resume"});
  Random random(20);
  int kills = 0;
  for (int i = 0; i < 10; ++i) {
    const pid_t process = start_dshn(arguments, {.own_group = true}, output.path());
    std::this_thread::sleep_for(std::chrono::milliseconds(200 + random.below(2000)));
    // With all its workers, or alone: they then notice.
    const bool alone = random.below(4) == 0;
    if (kill(alone ? process : -process, SIGKILL) == 0) ++kills;
    const int status = wait_for(process);
    ASSERT_TRUE(status == 0 || status == -SIGKILL) << status << read_file(output.path() / "stderr");
  }

  const Outcome end = dshn({"tune", "--resume", "--out", study, "--jobs", "3", "--json", "--quiet"});

  ASSERT_EQ(end.status, 0) << end.err;
  EXPECT_GT(kills, 0);
  const nlohmann::json summary = end.json();
  EXPECT_EQ(summary["trials_finished"], 40);
  std::set<int> numbers;
  std::set<std::string> configurations;
  for (const auto& trial : summary["trials"]) {
    numbers.insert(trial["number"].get<int>());
    configurations.insert(trial["set"].dump());
    EXPECT_EQ(trial["splits"], trial["state"] == "pruned" ? 1 : 2) << trial;
  }
  EXPECT_EQ(summary["trials"].size(), 40U);
  EXPECT_EQ(numbers.size(), 40U);
  EXPECT_EQ(*numbers.rbegin(), 39);
  EXPECT_EQ(configurations.size(), 40U);
}

}  // namespace
}  // namespace dshn::cli::test
