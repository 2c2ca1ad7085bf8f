// dshn train on several ranks, as processes: what comes out, and what happens when one of them does not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "cli/subprocess.hpp"

namespace dshn::cli::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::MatchesRegex;

/// A data set folder with labels and features that mean nothing.
std::string noise_data(const Scratch& scratch) {
  EXPECT_EQ(dshn({"data", "generate", "--kind", "random", "--nodes", "300", "--hyperedges", "300",
                  "--random-labels", "3", "--random-features", "4", "--out", scratch.at("data")})
                .status,
            0);
  return scratch.at("data");
}

/// What a run is asked for but where its files go; float64, so that losses can be compared closely.
Arguments training(const std::string& data, const std::string& out, const Arguments& more = {}) {
  Arguments words{
      "train",     "--data",  data,    "--set", "hidden_width=8", "--set", "precision=float64", "--set",
      "epochs=12", "--quiet", "--out", out};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

std::vector<double> losses(const std::string& run) {
  std::ifstream file(std::filesystem::path(run) / "metrics.jsonl");
  std::vector<double> values;
  for (std::string line; std::getline(file, line);) values.push_back(nlohmann::json::parse(line).at("loss"));
  return values;
}

/// The ranks of a training that has begun its epochs.
std::vector<pid_t> ranks_of(pid_t master, std::size_t count, const std::filesystem::path& run) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (std::chrono::steady_clock::now() < end) {
    const std::vector<pid_t> ranks = children_of(master);
    const bool begun = ranks.size() == count && std::filesystem::exists(run / "split-00");
    std::this_thread::sleep_for(std::chrono::milliseconds(begun ? 500 : 20));
    if (begun) return ranks;
  }
  ADD_FAILURE() << "the ranks have not begun";
  return {};
}

/// Long enough to be disturbed.
Arguments long_training(const Scratch& scratch) {
  return training(noise_data(scratch), scratch.at("run"),
                  {"--set", "epochs=100000", "--set", "patience=100000", "--splits", "1", "--ranks", "3",
                   "--rank-timeout", "3"});
}

TEST(Ranks, GiveWhatOneProcessGives) {
  const Scratch scratch;
  const std::string data = noise_data(scratch);
  ASSERT_EQ(dshn(training(data, scratch.at("alone"), {"--splits", "2"})).status, 0);

  const Outcome outcome =
      dshn(training(data, scratch.at("ranks"), {"--splits", "2", "--ranks", "3", "--json"}));

  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const std::vector<double> expected = losses(scratch.at("alone"));
  const std::vector<double> found = losses(scratch.at("ranks"));
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-9);
  EXPECT_EQ(outcome.json().at("splits").size(), 2U);
  // The run is like any other, and nothing of the ranks is left in it.
  EXPECT_FALSE(std::filesystem::exists(scratch.path() / "ranks" / "parts"));
  EXPECT_EQ(read_file(scratch.path() / "ranks" / "predictions.csv"),
            read_file(scratch.path() / "alone" / "predictions.csv"));
  const Outcome again = dshn({"evaluate", scratch.at("ranks"), "--json"});
  EXPECT_NEAR(again.json().at("test").at("mean").get<double>(),
              outcome.json().at("test").at("mean").get<double>(), 1e-9);
}

TEST(Ranks, TrainOnPartsThatWereCutBefore) {
  const Scratch scratch;
  const std::string data = noise_data(scratch);
  ASSERT_EQ(dshn(training(data, scratch.at("alone"), {"--splits", "2"})).status, 0);
  const Outcome cut =
      dshn({"data", "partition", data, "--parts", "2", "--splits", "2", "--out", scratch.at("parts")});
  ASSERT_EQ(cut.status, 0) << cut.err;
  EXPECT_THAT(cut.out, HasSubstr("2 parts"));

  const Outcome outcome = dshn(training(scratch.at("parts"), scratch.at("ranks")));

  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NEAR(losses(scratch.at("ranks")).back(), losses(scratch.at("alone")).back(), 1e-9);
  EXPECT_EQ(dshn({"evaluate", scratch.at("ranks")}).status, 0);

  const Outcome three = dshn(training(scratch.at("parts"), scratch.at("three"), {"--ranks", "3"}));
  EXPECT_EQ(three.status, 2);
  EXPECT_THAT(three.err, HasSubstr("has 2 parts"));
  const Outcome seed = dshn(training(scratch.at("parts"), scratch.at("seed"), {"--seed", "5"}));
  EXPECT_EQ(seed.status, 2);
  EXPECT_THAT(seed.err, HasSubstr("the parts were cut with 0"));
}

TEST(Ranks, AreFoundInTheVariablesOfLaunchers) {
  const Scratch scratch;
  const std::string data = noise_data(scratch);
  const std::string port = std::to_string(20000 + getpid() % 20000);
  std::vector<pid_t> processes;
  for (const std::string rank : {"0", "1"}) {
    const std::filesystem::path output = scratch.path() / ("rank" + rank);
    std::filesystem::create_directory(output);
    processes.push_back(start_dshn(
        training(data, scratch.at("run"), {"--splits", "1"}),
        {.environment = {"RANK=" + rank, "WORLD_SIZE=2", "MASTER_ADDR=127.0.0.1", "MASTER_PORT=" + port}},
        output));
  }
  for (const pid_t process : processes) EXPECT_EQ(wait_for(process), 0);
  EXPECT_THAT(read_file(scratch.path() / "rank0" / "stdout"), HasSubstr("run folder"));
  EXPECT_EQ(read_file(scratch.path() / "rank1" / "stdout"), "");
  EXPECT_EQ(losses(scratch.at("run")).size(), 12U);
}

TEST(Ranks, OfWhichOneIsKilledEndInOneLineAndGoOn) {
  const Scratch scratch, output;
  const pid_t master = start_dshn(long_training(scratch), {}, output.path());
  const std::vector<pid_t> ranks = ranks_of(master, 3, scratch.path() / "run");
  ASSERT_EQ(ranks.size(), 3U);

  kill(ranks[1], SIGKILL);

  EXPECT_EQ(wait_for(master), 1);
  EXPECT_EQ(read_file(output.path() / "stderr"),
            "dshn: rank 1 was killed by signal 9; go on with: dshn train --resume --ranks 3 --out " +
                scratch.at("run") + "\n");
}

TEST(Ranks, ThatWereKilledGoOnToTheSameBits) {
  const Scratch scratch, output;
  const std::string data = noise_data(scratch);
  const auto words = [&](const char* run) {
    return training(data, scratch.at(run),
                    {"--ranks", "2", "--set", "epochs=400", "--set", "patience=400", "--splits", "1"});
  };
  ASSERT_EQ(dshn(words("undisturbed")).status, 0);
  const pid_t master = start_dshn(words("killed"), {}, output.path());
  const std::vector<pid_t> ranks = ranks_of(master, 2, scratch.path() / "killed");
  ASSERT_EQ(ranks.size(), 2U);
  kill(ranks[0], SIGTERM);  // leaves a checkpoint
  EXPECT_NE(wait_for(master), 0);

  const Outcome resumed =
      dshn({"train", "--resume", "--ranks", "2", "--quiet", "--out", scratch.at("killed")});

  EXPECT_EQ(resumed.status, 0) << resumed.err;
  for (const char* file : {"metrics.jsonl", "predictions.csv"})
    EXPECT_EQ(read_file(scratch.path() / "killed" / file), read_file(scratch.path() / "undisturbed" / file))
        << file;
}

TEST(Ranks, OfWhichOneIsSilentEndInOneLine) {
  const Scratch scratch, output;
  const pid_t master = start_dshn(long_training(scratch), {}, output.path());
  const std::vector<pid_t> ranks = ranks_of(master, 3, scratch.path() / "run");
  ASSERT_EQ(ranks.size(), 3U);

  kill(ranks[2], SIGSTOP);

  EXPECT_EQ(wait_for(master), 1);
  EXPECT_THAT(read_file(output.path() / "stderr"),
              HasSubstr("rank 2 is gone, or silent for too long; go on with"));
  EXPECT_THAT(children_of(master), ElementsAre());
}

TEST(Ranks, EndTogetherWhenTheyAreAskedTo) {
  const Scratch scratch, output;
  const pid_t master = start_dshn(long_training(scratch), {}, output.path());
  ASSERT_EQ(ranks_of(master, 3, scratch.path() / "run").size(), 3U);

  kill(master, SIGINT);

  EXPECT_EQ(wait_for(master), 128 + SIGINT);
  EXPECT_THAT(read_file(output.path() / "stderr"),
              MatchesRegex("dshn: stopped in split 0 after epoch [0-9]+; go on with: dshn train --resume "
                           "--ranks 3 --out .*\n"));
  EXPECT_FALSE(std::filesystem::exists(scratch.path() / "run" / "parts"));
}

TEST(Ranks, RefuseWhatTheyCannotDo) {
  const Scratch scratch;
  const std::string data = noise_data(scratch);
  const auto line = [&](const Arguments& more, int status) {
    const Outcome outcome = dshn(training(data, scratch.at("run"), more));
    EXPECT_EQ(outcome.status, status) << outcome.err;
    EXPECT_TRUE(outcome.one_line()) << outcome.err;
    return outcome.err;
  };
  EXPECT_THAT(line({"--ranks", "2", "--backend", "nccl"}, 2),
              HasSubstr("built without NCCL, and ranks train on CPUs; expected auto or gloo"));
  EXPECT_THAT(line({"--backend", "nccl"}, 2), HasSubstr("built without NCCL"));
  EXPECT_THAT(line({"--backend", "mpi"}, 2), HasSubstr("--backend mpi: expected auto or gloo"));
  EXPECT_THAT(line({"--ranks", "2", "--jobs", "2"}, 2), HasSubstr("no --jobs"));
  EXPECT_THAT(line({"--ranks", "2", "--partition", "best"}, 2), HasSubstr("best"));
  EXPECT_THAT(line({"--ranks", "2", "--device", "cuda"}, 2), HasSubstr("cuda"));
  EXPECT_THAT(line({"--ranks", "2", "--model", "majority"}, 2), HasSubstr("majority is a rule"));
  EXPECT_THAT(line({"--ranks", "2", "--set", "batch=8"}, 2), HasSubstr("batch: ranks train on all items"));
  EXPECT_FALSE(std::filesystem::exists(scratch.path() / "run"));
  ASSERT_EQ(dshn({"data", "partition", data, "--parts", "2", "--out", scratch.at("parts")}).status, 0);
  const Outcome rule =
      dshn({"train", "--data", scratch.at("parts"), "--model", "majority", "--out", scratch.at("run")});
  EXPECT_EQ(rule.status, 2);
  EXPECT_THAT(rule.err, HasSubstr("majority is a rule"));
}

}  // namespace
}  // namespace dshn::cli::test
