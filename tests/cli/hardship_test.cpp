// What becomes of runs, studies and tables when files are lost, changed or cut short, and processes killed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "cli/files.hpp"
#include "cli/subprocess.hpp"

namespace dshn::cli::test {
namespace {

using testing::HasSubstr;

constexpr int kNodes = 12;

/// A folder of twelve nodes in three hyperedges, with labels and, where given, masks of one split.
std::string small_set(const Scratch& scratch, const std::string& name,
                      const std::vector<std::int64_t>& labels, const std::string& masks = "") {
  std::string rows = "hyperedge,node\n";
  for (int v = 0; v < kNodes; ++v) rows += std::to_string(v % 3) + "," + std::to_string(v) + "\n";
  const auto mask = [&](char part) {
    std::string flags;
    for (const char c : masks) flags += c == part ? '\1' : '\0';
    return npy("|b1", "(1, 12)", flags);
  };
  std::vector<std::pair<std::string, std::string>> arrays{{"y.npy", npy("<i8", "(12,)", bytes_of(labels))}};
  if (!masks.empty())
    arrays.insert(
        arrays.end(),
        {{"train_masks.npy", mask('a')}, {"val_masks.npy", mask('b')}, {"test_masks.npy", mask('c')}});
  const Scratch made;
  EXPECT_EQ(dshn({"data", "convert", made.file("h.csv", rows), scratch.at(name), "--force"}).status, 0);
  scratch.file(name + "/nodes.npz", zipped(arrays));
  return scratch.at(name);
}

std::vector<std::int64_t> two_classes(std::int64_t first = 0) {
  std::vector<std::int64_t> labels;
  for (int v = 0; v < kNodes; ++v) labels.push_back((v / 6 + first) % 2);
  return labels;
}

Arguments quick_training(const std::string& data, const std::string& run, const Arguments& more = {}) {
  Arguments arguments{"train", "--data",         data,    "--model", "hgnn",    "--set",     "epochs=2",
                      "--set", "hidden_width=4", "--out", run,       "--quiet", "--threads", "1"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

void expect_refused(const Outcome& outcome, int status, const std::string& says) {
  EXPECT_EQ(outcome.status, status) << outcome.err;
  EXPECT_TRUE(outcome.one_line()) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr(says));
}

TEST(Evaluate, SaysThatItIsPartialWhereWeightsAreGone) {
  const Scratch scratch;
  const std::string run = scratch.at("run");
  const std::string data = small_set(scratch, "data", two_classes());
  ASSERT_EQ(dshn(quick_training(data, run, {"--splits", "3"})).status, 0);
  std::filesystem::remove(scratch.at("run/split-01/model.safetensors"));

  const Outcome own = dshn({"evaluate", run, "--json"});
  const Outcome elsewhere = dshn({"evaluate", run, "--data", data});

  for (const Outcome& outcome : {own, elsewhere}) {
    EXPECT_EQ(outcome.status, 1);
    EXPECT_THAT(
        outcome.err,
        HasSubstr("the weights of split 1 are missing; these figures are of the other 2 of 3 splits"));
  }
  EXPECT_EQ(own.json()["missing_splits"], nlohmann::json::array({1}));
  EXPECT_EQ(own.json()["splits"].size(), 2U);
}

TEST(Evaluate, OfARunThatKnowsNothingOfItsDataTakesFewerClasses) {
  const Scratch scratch;
  const std::string run = scratch.at("run");
  const std::string data = small_set(scratch, "data", two_classes());
  ASSERT_EQ(dshn(quick_training(data, run, {"--splits", "1"})).status, 0);
  std::filesystem::remove(scratch.at("run/inputs.json"));  // as version 0.1 left it
  std::vector<std::int64_t> fewer(kNodes, 0);
  fewer[0] = 1;
  small_set(scratch, "data", fewer);

  const Outcome outcome = dshn({"evaluate", run});

  EXPECT_TRUE(outcome.status == 0 || outcome.status == 3) << outcome.status << outcome.err;
}

TEST(Train, RefusesMasksThatLeaveOutAPart) {
  const Scratch scratch;
  for (const char* masks : {"aaabbbaaabbb", "aaacccaaaccc", "bbbcccbbbccc"})
    expect_refused(dshn(quick_training(small_set(scratch, masks, two_classes(), masks), scratch.at("run"))),
                   3, masks == std::string("bbbcccbbbccc") ? "to train on" : "all three are needed");
  EXPECT_FALSE(std::filesystem::exists(scratch.at("run")));
}

TEST(Train, RefusesLabelsThatAreNoClasses) {
  const Scratch scratch;
  std::string rows = "hyperedge,node\n";
  for (int v = 0; v < 5000; ++v) rows += "0," + std::to_string(v) + "\n";
  ASSERT_EQ(dshn({"data", "convert", scratch.file("h.csv", rows), scratch.at("data")}).status, 0);
  std::vector<std::int64_t> labels(5000);
  for (std::size_t v = 0; v < labels.size(); ++v) labels[v] = static_cast<std::int64_t>(v % 5);
  labels[7] = 4999;
  scratch.file("data/nodes.npz", zipped({{"y.npy", npy("<i8", "(5000,)", bytes_of(labels))}}));

  expect_refused(dshn(quick_training(scratch.at("data"), scratch.at("run"))), 3,
                 "the label of node 7 is 4999, but only 6 classes occur");
}

TEST(Train, KilledBeforeItsSettingsHaveTheirNameStartsAgain) {
  const Scratch scratch;
  const std::string data = small_set(scratch, "data", two_classes());
  for (const char* left : {".config.toml.4711-0.tmp", ".config.toml.0123456789abcdef.tmp"}) {
    const std::string run = scratch.at(std::string("run") + left);
    scratch.file(std::string("run") + left + "/" + left, "data = ");

    EXPECT_EQ(dshn(quick_training(data, run, {"--splits", "1"})).status, 0);
    EXPECT_FALSE(std::filesystem::exists(run + "/" + left));
  }
}

TEST(Train, ForcedAgainStartsAgainWhereItWasKilledBeforeItsSettingsHadTheirName) {
  const Scratch scratch;
  const std::string data = small_set(scratch, "data", two_classes());
  scratch.file("run/.config.toml.0123456789abcdef.tmp", "data = ");

  const Outcome outcome = dshn(quick_training(data, scratch.at("run"), {"--splits", "1", "--force"}));

  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_FALSE(std::filesystem::exists(scratch.at("run/.config.toml.0123456789abcdef.tmp")));
}

TEST(StoredSettings, ThatAreWrongAreWrongDataAndNotWrongUsage) {
  const Scratch scratch;
  const std::string run = scratch.at("run");
  ASSERT_EQ(dshn(quick_training(small_set(scratch, "data", two_classes()), run, {"--splits", "2"})).status,
            0);
  const std::string config = read_file(scratch.at("run/config.toml"));
  const auto change = [&](const std::string& what, const std::string& into) {
    std::string changed = config;
    ASSERT_NE(changed.find(what), std::string::npos) << config;
    scratch.file("run/config.toml", changed.replace(changed.find(what), what.size(), into));
  };

  change("hidden_width", "hidden_widhh");
  expect_refused(dshn({"train", "--resume", "--out", run, "--quiet"}), 3,
                 "config.toml: unknown model option");
  change("splits = 2", "");
  expect_refused(dshn({"evaluate", run}), 3, "config.toml asks for 10 splits, but the run has 2");
}

TEST(Train, RefusesNamesThatAreNotUtf8BeforeItWritesAnything) {
  const Scratch scratch;
  const std::string data = small_set(scratch, "caf\xe9", two_classes());
  expect_refused(dshn(quick_training(data, scratch.at("run"))), 2, "is not UTF-8");
  EXPECT_FALSE(std::filesystem::exists(scratch.at("run")));

  const std::string named = small_set(scratch, "data", two_classes());
  expect_refused(dshn(quick_training(named, scratch.at("r\xfcn"))), 2, "is not UTF-8");
  EXPECT_FALSE(std::filesystem::exists(scratch.at("r\xfcn")));
}

/// Whether it has ended; one that nobody has waited for yet has.
bool has_ended(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string number;
  std::string name;
  char state = 'X';
  file >> number >> name >> state;
  return state == 'X' || state == 'Z';
}

void expect_workers_end_with(const Arguments& arguments) {
  const Scratch output;
  const pid_t master = start_dshn(arguments, {}, output.path());
  std::vector<pid_t> workers;
  for (int i = 0; i < 2000 && workers.size() < 2; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    workers = children_of(master);
  }
  ASSERT_EQ(workers.size(), 2U) << read_file(output.path() / "stderr");
  kill(master, SIGKILL);
  wait_for(master);
  for (const pid_t worker : workers) {
    for (int i = 0; i < 2000 && !has_ended(worker); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_TRUE(has_ended(worker)) << "a worker of " << arguments[0] << " lives on";
    if (!has_ended(worker)) kill(worker, SIGKILL);
  }
}

TEST(Workers, EndWithTheProcessThatStartedThemHoweverItEnds) {
  const Scratch scratch;
  expect_workers_end_with({"train", "--data", "synthetic-generated-io10", "--model", "hgnn", "--splits", "2",
                           "--jobs", "2", "--set", "epochs=1000000", "--set", "patience=1000000", "--out",
                           scratch.at("run"), "--quiet"});
  expect_workers_end_with({"reproduce", "synthetic", "--data", "synthetic-io10", "--models", "dshn,ed-hnn",
                           "--jobs", "2", "--out", scratch.at("results")});
}

TEST(DataInfo, ReadsAPipe) {
  const Scratch scratch;
  const std::string rows = "hyperedge,node\n0,a\n0,b\n1,b\n";
  const std::string pipe = scratch.at("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(pipe) << rows; });

  const Outcome piped = dshn({"data", "info", pipe, "--json"});
  writer.join();

  ASSERT_EQ(piped.status, 0) << piped.err;
  const Outcome plain = dshn({"data", "info", scratch.file("a.csv", rows), "--json"});
  EXPECT_EQ(piped.json()["n_nodes"], plain.json()["n_nodes"]);
  EXPECT_EQ(piped.json()["n_hyperedges"], plain.json()["n_hyperedges"]);
}

TEST(DataInfo, NeedsNoMemoryForComments) {
  const Scratch scratch;
  std::string comments;
  for (int i = 0; i < 1'000'000; ++i)
    comments += "# a comment that says nothing, again and again, for ever\n";
  std::string text = gzipped(comments);
  const std::string once = text;
  for (int i = 0; i < 15; ++i) text += once;  // 900 MB
  const std::string file = scratch.file("a.csv.gz", text + gzipped("hyperedge,node\n0,a\n0,b\n"));

  const Outcome outcome = dshn({"data", "info", file, "--json"}, {.memory_limit = std::uint64_t{400} << 20});

  ASSERT_EQ(outcome.status, 0) << outcome.err;
}

TEST(Tune, RefusesDataThatHaveChanged) {
  const Scratch scratch;
  const std::string data = small_set(scratch, "data", two_classes());
  const std::string study = scratch.at("study");
  const Outcome tuned = dshn({"tune", "--data", data, "--model", "hgnn", "--set", "epochs=2", "--splits", "1",
                              "--trials", "1", "--out", study, "--quiet"});
  ASSERT_EQ(tuned.status, 0) << tuned.err;
  small_set(scratch, "data", two_classes(1));

  expect_refused(dshn({"tune", "--resume", "--out", study, "--trials", "2"}), 3,
                 "the labels have changed since the study began on data; start a new study in another --out");
}

TEST(Reproduce, RefusesCellsThatAreDamaged) {
  const Scratch scratch;
  const Arguments command{"reproduce",  "synthetic", "--data", "synthetic-io10",     "--models",
                          "components", "--quick",   "--out",  scratch.at("results")};
  ASSERT_EQ(dshn(command).status, 0);
  const std::string cell = scratch.at("results/cells/synthetic-io10/components.json");
  nlohmann::json stored = nlohmann::json::parse(read_file(cell));
  stored["splits"] = 3;
  scratch.file("results/cells/synthetic-io10/components.json", stored.dump());

  expect_refused(dshn(command), 3, "not a cell of an experiment: splits is missing or of another kind");
  scratch.file("results/cells/synthetic-io10/components.json", std::string(400'000, '['));
  expect_refused(dshn(command), 3, "nested in more than 64 levels");
}

TEST(Reproduce, RefusesToRenderATableThatHasLostItsCommand) {
  const Scratch scratch;
  const std::string results = scratch.at("results");
  ASSERT_EQ(dshn({"reproduce", "synthetic", "--data", "synthetic-io10", "--models", "components", "--quick",
                  "--out", results})
                .status,
            0);
  nlohmann::json table = nlohmann::json::parse(read_file(scratch.at("results/synthetic.json")));
  ASSERT_EQ(table["provenance"].erase("command"), 1U);
  scratch.file("results/synthetic.json", table.dump());

  expect_refused(dshn({"reproduce", "--render", results}), 3, "provenance.command is missing");
}

}  // namespace
}  // namespace dshn::cli::test
