// dshn train, evaluate and predict, from outside.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <map>
#include <thread>

#include "cli/files.hpp"
#include "cli/screen.hpp"
#include "cli/subprocess.hpp"

namespace dshn::cli::test {
namespace {

using testing::HasSubstr;
using testing::Not;

/// A quick run; `more` adds to it, or replaces a flag that may be given once.
Arguments small_run(const std::string& out, const Arguments& more = {}) {
  Arguments arguments{"train", "--set",          "d=2",   "--set",    "layers=1",
                      "--set", "hidden_width=8", "--set", "epochs=15"};
  const std::vector<std::pair<std::string, std::string>> once{{"--data", "synthetic-generated-io10"},
                                                              {"--model", "dshn"},
                                                              {"--splits", "2"},
                                                              {"--device", "cpu"},
                                                              {"--threads", "1"},
                                                              {"--out", out}};
  for (const auto& [flag, value] : once) {
    if (std::find(more.begin(), more.end(), flag) == more.end())
      arguments.insert(arguments.end(), {flag, value});
  }
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

/// A HIF file of twelve nodes in three hyperedges; `attributes` gives the attrs of a node.
std::string hif(const Scratch& scratch, const std::string& name,
                const std::function<std::string(int)>& attributes) {
  std::vector<std::string> nodes;
  std::vector<std::string> incidences;
  for (int v = 0; v < 12; ++v) {
    nodes.push_back(fmt::format(R"({{"node":"n{}","attrs":{{{}}}}})", v, attributes(v)));
    incidences.push_back(
        fmt::format(R"({{"edge":{},"node":"n{}","direction":"{}"}})", v % 3, v, v < 3 ? "tail" : "head"));
  }
  return scratch.file(name, fmt::format(R"({{"network-type":"directed","nodes":[{}],"incidences":[{}]}})",
                                        fmt::join(nodes, ","), fmt::join(incidences, ",")));
}

TEST(Train, LeavesARunThatEvaluateAndPredictUse) {
  const Scratch scratch;
  const std::string run = scratch.at("run");

  const Outcome trained = dshn(small_run(run, {"--json"}));
  ASSERT_EQ(trained.status, 0) << trained.err;
  const Outcome evaluated = dshn({"evaluate", run, "--json"});
  ASSERT_EQ(evaluated.status, 0) << evaluated.err;
  const Outcome predicted = dshn({"predict", run, "--out", scratch.at("p.csv")});
  ASSERT_EQ(predicted.status, 0) << predicted.err;

  EXPECT_EQ(trained.json()["test"]["mean"], evaluated.json()["test"]["mean"]);
  for (const char* key : {"split", "best_epoch", "epochs", "val_loss"})
    for (int split = 0; split < 2; ++split)
      EXPECT_EQ(trained.json()["splits"][split][key], evaluated.json()["splits"][split][key]) << key;
  EXPECT_GE(evaluated.json()["splits"][0]["best_epoch"], 1);
  EXPECT_THAT(read_file(scratch.at("p.csv")), testing::StartsWith("id,label,predicted,p0,p1,p2,p3,p4\n"));
  for (const char* file : {"config.toml", "metrics.jsonl", "result.json", "predictions.csv"}) {
    EXPECT_TRUE(std::filesystem::exists(std::filesystem::path(run) / file)) << file;
  }
}

TEST(Train, TakesKindsOfFeaturesSideBySide) {
  const Scratch scratch;
  const std::string run = scratch.at("run");

  const Outcome trained = dshn(small_run(run, {"--json", "--set", "features=role-degrees+spectral"}));

  ASSERT_EQ(trained.status, 0) << trained.err;
  const Outcome evaluated = dshn({"evaluate", run, "--json"});
  ASSERT_EQ(evaluated.status, 0) << evaluated.err;
  EXPECT_EQ(trained.json()["test"]["mean"], evaluated.json()["test"]["mean"]);

  const Outcome refused = dshn(small_run(scratch.at("other"), {"--set", "features=stored+spectral"}));
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("has no node features of its own"));
}

TEST(Train, PrintsTheProtocolBesideTheFigure) {
  const Scratch scratch;
  const Outcome outcome = dshn(small_run(scratch.at("run"), {"--quiet"}));
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("best validation"));
  EXPECT_THAT(outcome.out, HasSubstr("±"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("\x1b")));
}

TEST(Train, SideBySideGivesTheSameFigures) {
  const Scratch scratch;
  const Outcome one = dshn(small_run(scratch.at("one"), {"--json"}));
  const Outcome two = dshn(small_run(scratch.at("two"), {"--json", "--jobs", "2"}));
  ASSERT_EQ(one.status, 0) << one.err;
  ASSERT_EQ(two.status, 0) << two.err;
  for (const char* file : {"metrics.jsonl", "predictions.csv"}) {
    EXPECT_EQ(read_file(scratch.path() / "one" / file), read_file(scratch.path() / "two" / file)) << file;
  }
}

TEST(Train, RefusesWrongUsageBeforeItWritesAnything) {
  const Scratch scratch;
  const std::vector<std::pair<Arguments, const char*>> cases{
      {{"--set", "layrs=2"}, "did you mean 'layers'?"},
      {{"--set", "layers=99"}, "1..32"},
      {{"--set", "layers"}, "expected name=value"},
      {{"--set", "lr=fast"}, "lr"},
      {{"--set", "epochs=0"}, "epochs"},
      {{"--device", "gpu"}, "expected auto, cpu or cuda"},
      {{"--splits", "0"}, "--splits"},
      {{"--model", "dhsn"}, "did you mean 'dshn'?"},
      {{"--data", "telegam"}, "telegam"},
      {{"--colour"}, "--colour"}};
  for (const auto& [more, expected] : cases) {
    const Outcome outcome = dshn(small_run(scratch.at("run"), more));
    EXPECT_TRUE(outcome.status == 2 || (more[0] == "--data" && outcome.status == 3)) << outcome.err;
    EXPECT_TRUE(outcome.one_line()) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(expected));
    EXPECT_THAT(scratch.contents(), testing::IsEmpty());
  }
}

TEST(Train, RefusesDataThatCannotBeLearntFrom) {
  const Scratch scratch;
  const auto label = [](int c) { return fmt::format(R"("label":{})", c); };
  const std::vector<std::pair<std::string, std::string>> cases{
      {hif(scratch, "none.hif.json", [](int) { return ""; }), "label"},
      {hif(scratch, "one.hif.json", [&](int) { return label(0); }), "class"}};
  const auto before = scratch.contents();
  for (const auto& [file, expected] : cases) {
    const Outcome outcome = dshn({"train", "--data", file, "--device", "cpu", "--out", scratch.at("run")});
    EXPECT_EQ(outcome.status, 3) << file << ": " << outcome.err;
    EXPECT_TRUE(outcome.one_line()) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(expected));
    EXPECT_EQ(scratch.contents(), before);
  }
}

/// Everything in the run folder that does not depend on the clock.
std::map<std::string, std::string> lasting(const std::filesystem::path& run) {
  std::map<std::string, std::string> files;
  for (const char* name : {"split-00/model.safetensors", "split-01/model.safetensors", "metrics.jsonl",
                           "predictions.csv", "config.toml"}) {
    files[name] = read_file(run / name);
  }
  return files;
}

TEST(Train, KilledAtAnyMomentAndResumedGivesTheSameBits) {
  const Scratch scratch;
  const Scratch output;
  ASSERT_EQ(dshn(small_run(scratch.at("whole"))).status, 0);
  const std::string run = scratch.at("killed");

  Arguments arguments = small_run(run);
  int kills = 0;
  for (int pause = 150;; pause += 170) {
    const pid_t process = start_dshn(arguments, {}, output.path());
    std::this_thread::sleep_for(std::chrono::milliseconds(pause));
    kill(process, SIGKILL);
    const int status = wait_for(process);
    if (status == 0) break;
    ASSERT_EQ(status, -SIGKILL) << read_file(output.path() / "stderr");
    ++kills;
    if (std::filesystem::exists(std::filesystem::path(run) / "config.toml")) {
      arguments = {"train", "--resume", "--out", run, "--threads", "1"};
    }
  }

  EXPECT_GT(kills, 0);
  EXPECT_EQ(lasting(run), lasting(scratch.at("whole")));
}

/// Starts a run without end, and sends the signal when its first epochs are over.
void expect_tidy_stop(int signal, const Arguments& more) {
  const Scratch scratch;
  const Scratch output;
  const std::string run = scratch.at("run");
  Arguments arguments = small_run(run, {"--set", "epochs=100000", "--set", "patience=100000"});
  arguments.insert(arguments.end(), more.begin(), more.end());
  const pid_t process = start_dshn(arguments, {}, output.path());
  while (!std::filesystem::exists(std::filesystem::path(run) / "config.toml")) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  kill(process, signal);

  EXPECT_EQ(wait_for(process), 128 + signal);
  const std::string said = read_file(output.path() / "stderr");
  EXPECT_THAT(said, testing::EndsWith("go on with: dshn train --resume --out " + run + "\n"));
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
}

TEST(Train, InterruptedSaysHowToGoOn) {
  expect_tidy_stop(SIGINT, {});
  expect_tidy_stop(SIGTERM, {});
}

TEST(Train, InterruptedStopsItsWorkersToo) {
  expect_tidy_stop(SIGINT, {"--jobs", "2"});
}

TEST(Train, LeavesNoStaleLineOnATerminalThatBecomesNarrow) {
  const Scratch scratch;
  NarrowingScreen screen("ms/epoch", 60);

  const Outcome outcome = dshn_on_terminal(
      small_run(scratch.at("run"), {"--set", "patience=60", "--set", "epochs=60"}), {}, std::ref(screen));

  EXPECT_EQ(outcome.status, 0) << outcome.out;
  EXPECT_TRUE(screen.narrowed());
  EXPECT_THAT(screen.text(), testing::StartsWith("DSHN on synthetic-generated-io10"));
  EXPECT_THAT(screen.text(), Not(HasSubstr("ms/epoch")));
}

/// All files with what they hold.
std::map<std::string, std::string> everything(const Scratch& scratch) {
  std::map<std::string, std::string> files;
  for (const std::string& name : scratch.contents())
    if (std::filesystem::is_regular_file(scratch.at(name))) files[name] = read_file(scratch.at(name));
  return files;
}

TEST(Train, ReplacesARunOnlyByForce) {
  const Scratch scratch;
  const std::string run = scratch.at("run");
  ASSERT_EQ(dshn(small_run(run)).status, 0);
  const auto first = everything(scratch);

  const Outcome refused = dshn(small_run(run, {"--set", "lr=0.5"}));
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("--force to replace it"));
  EXPECT_EQ(everything(scratch), first);
  scratch.file("run/split-00/.state.safetensors.77-3.tmp", "left by a kill");

  const Outcome replaced = dshn(small_run(run, {"--set", "lr=0.5", "--splits", "1", "--force"}));
  EXPECT_EQ(replaced.status, 0) << replaced.err;
  EXPECT_THAT(read_file(scratch.at("run/config.toml")), HasSubstr("0.5"));
  EXPECT_FALSE(std::filesystem::exists(scratch.at("run/split-01")));
  EXPECT_EQ(dshn(small_run(run, {"--resume", "--force"})).status, 2);
}

TEST(Train, ForceRemovesNothingButARun) {
  const Scratch scratch;
  scratch.file("run/config.toml", "[run]\n");
  scratch.file("run/split-00/model.safetensors", "weights");
  const std::vector<std::pair<std::string, std::string>> precious{{"run/thesis.tex", "run"},
                                                                  {"run/split-00/notes.txt", "run"},
                                                                  {"run/plots/a.png", "run"},
                                                                  {"home/diary", "home"}};
  for (const auto& [file, folder] : precious) {
    scratch.file(file, "precious");
    const auto before = everything(scratch);

    const Outcome outcome = dshn(small_run(scratch.at(folder), {"--force"}));

    EXPECT_EQ(outcome.status, 2) << file;
    EXPECT_TRUE(outcome.one_line()) << outcome.err;
    EXPECT_EQ(everything(scratch), before);
    std::filesystem::remove(scratch.at(file));
    if (folder == "run")
      std::filesystem::remove(std::filesystem::path(scratch.at(file)).parent_path() / "plots");
  }
  std::filesystem::create_symlink(scratch.at("home"), scratch.at("run/split-01"));
  EXPECT_EQ(dshn(small_run(scratch.at("run"), {"--force"})).status, 2);
}

TEST(Train, AFullDiskIsAFailureInOneLine) {
  const Scratch scratch;
  std::string command = "ulimit -f 2; " + std::string(DSHN_PROGRAM);
  for (const std::string& word : small_run(scratch.at("run"), {"--quiet"})) command += " " + word;
  const int status = std::system(("bash -c '" + command + " 2>" + scratch.at("stderr") + "'").c_str());

  EXPECT_EQ(WEXITSTATUS(status), 1);
  const std::string message = read_file(scratch.at("stderr"));
  EXPECT_EQ(std::count(message.begin(), message.end(), '\n'), 1) << message;
  EXPECT_THAT(message, HasSubstr("model.safetensors"));
  for (const std::string& file : scratch.contents()) EXPECT_THAT(file, Not(HasSubstr("tmp"))) << file;
}

/// Twelve nodes as hif() makes them, each in a class by its number.
std::string labelled_hif(const Scratch& scratch, const std::string& name, bool turned) {
  return hif(scratch, name,
             [&](int v) { return fmt::format(R"("label":{})", (v % 2 == 0) != turned ? 0 : 1); });
}

TEST(Predict, WritesToStandardOutputWithEmbeddingsBesideIt) {
  const Scratch scratch;
  const std::string run = scratch.at("run");
  ASSERT_EQ(dshn(small_run(run, {"--quiet"})).status, 0);

  const Outcome outcome = dshn({"predict", run, "--embeddings", scratch.at("e.csv")});

  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, testing::StartsWith("id,label,predicted,p0,"));
  EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 501);
  const std::string rows = read_file(scratch.at("e.csv"));
  EXPECT_THAT(rows, testing::StartsWith("id,e0,e1"));
  EXPECT_EQ(std::count(rows.begin(), rows.end(), '\n'), 501);
  EXPECT_EQ(dshn({"predict", run, "--embeddings", scratch.at("e.txt")}).status, 2);
}

TEST(Predict, NeverReplacesWhatItReads) {
  const Scratch scratch;
  const std::string run = scratch.at("run");
  const std::string data = labelled_hif(scratch, "a.json", false);
  const std::string next = labelled_hif(scratch, "b.json", false);
  ASSERT_EQ(dshn({"train", "--data", data, "--model", "hgnn", "--splits", "1", "--set", "epochs=2", "--out",
                  run, "--quiet"})
                .status,
            0);
  std::filesystem::create_hard_link(next, scratch.at("c.csv"));
  const std::string before = read_file(next);

  for (const Arguments& more :
       {Arguments{"--out", data}, Arguments{"--data", next, "--out", next},
        Arguments{"--data", next, "--embeddings", scratch.at("c.csv")},
        Arguments{"--data", next, "--out", data}, Arguments{"--out", run + "/result.json"}}) {
    Arguments arguments{"predict", run};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = dshn(arguments);
    EXPECT_EQ(outcome.status, 2) << more.back();
    EXPECT_TRUE(outcome.one_line()) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("would replace what is read"));
  }

  EXPECT_EQ(read_file(next), before);
  EXPECT_EQ(dshn({"evaluate", run, "--data", next}).status, 0) << "the run is whole";
  EXPECT_EQ(dshn({"predict", run, "--data", next, "--out", scratch.at("p.csv")}).status, 0);
  EXPECT_EQ(dshn({"predict", run, "--data", next, "--out", scratch.at("p.csv")}).status, 0) << "once more";
}

TEST(Evaluate, ComparesWithTheLabelsOfAnotherDataSet) {
  const Scratch scratch;
  const std::string run = scratch.at("run");
  const std::string data = labelled_hif(scratch, "a.json", false);
  ASSERT_EQ(dshn({"train", "--data", data, "--model", "hgnn", "--splits", "1", "--set", "epochs=2", "--out",
                  run, "--quiet"})
                .status,
            0);

  const Outcome same = dshn({"evaluate", run, "--data", data, "--json"});
  const Outcome turned = dshn({"evaluate", run, "--data", labelled_hif(scratch, "b.json", true), "--json"});

  ASSERT_EQ(same.status, 0) << same.err;
  ASSERT_EQ(turned.status, 0) << turned.err;
  EXPECT_EQ(same.json()["items"], 12);
  EXPECT_DOUBLE_EQ(same.json()["test"]["mean"].get<double>() + turned.json()["test"]["mean"].get<double>(),
                   1);
}

TEST(Evaluate, RefusesLabelsThatHaveChangedAsResumeAndPredictDo) {
  const Scratch scratch;
  const std::string run = scratch.at("run");
  const std::string data = labelled_hif(scratch, "a.json", false);
  ASSERT_EQ(dshn({"train", "--data", data, "--model", "hgnn", "--splits", "1", "--set", "epochs=2", "--out",
                  run, "--quiet"})
                .status,
            0);
  labelled_hif(scratch, "a.json", true);

  for (const Arguments& arguments : {Arguments{"evaluate", run}, Arguments{"predict", run},
                                     Arguments{"train", "--resume", "--out", run, "--quiet"}}) {
    const Outcome outcome = dshn(arguments);
    EXPECT_EQ(outcome.status, 3) << arguments[0];
    EXPECT_TRUE(outcome.one_line()) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("the labels have changed")) << arguments[0];
  }
}

TEST(Predict, RefusesWhatIsNoRun) {
  const Scratch scratch;
  for (const char* command : {"predict", "evaluate"}) {
    Arguments arguments{command, scratch.at("nothing")};
    if (std::string(command) == "predict") arguments.insert(arguments.end(), {"--out", scratch.at("p.csv")});
    const Outcome outcome = dshn(arguments);
    EXPECT_TRUE(outcome.status == 2 || outcome.status == 3) << outcome.status << outcome.err;
    EXPECT_TRUE(outcome.one_line()) << outcome.err;
  }
  EXPECT_THAT(scratch.contents(), testing::IsEmpty());
}

}  // namespace
}  // namespace dshn::cli::test
