// One's own data, from outside: from files to a model that says its classes as words.
#include <gmock/gmock.h>

#include "cli/own_data_files.hpp"
#include "dshn/base/random.hpp"

namespace dshn::cli::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

/// A quick run on the data that the flags name.
Arguments quick(const Arguments& data, const std::string& out, const Arguments& more = {}) {
  return with({"train", "--data"}, data,
              with({"--model", "hgnn", "--set", "epochs=10", "--set", "hidden_width=8", "--splits", "2",
                    "--device", "cpu", "--threads", "1", "--json", "--out", out},
                   more));
}

TEST(TrainOwnData, GoesFromTablesToClassesInWords) {
  const Scratch scratch;
  const Arguments data = own_data(scratch);

  const Outcome trained = dshn(quick(data, scratch.at("run")));

  ASSERT_EQ(trained.status, 0) << trained.err;
  EXPECT_THAT(trained.json()["protocol"].get<std::string>(),
              StartsWith("2 random splits, seed 0: 60/20/20 % of the nodes, stratified by class"));
  EXPECT_THAT(trained.err, AllOf(HasSubstr("labels 30 of 59 nodes"), HasSubstr("6 columns of features")));
  EXPECT_THAT(read_file(scratch.path() / "run/config.toml"),
              AllOf(HasSubstr("[reading]"), HasSubstr("hyperedge=deal,node=company")));

  const Outcome again = dshn({"evaluate", scratch.at("run"), "--json"});
  ASSERT_EQ(again.status, 0) << again.err;
  EXPECT_EQ(again.json()["test"], trained.json()["test"]) << "the run opens the same data";
  const Outcome predicted = dshn({"predict", scratch.at("run"), "--out", scratch.at("p.csv")});
  ASSERT_EQ(predicted.status, 0) << predicted.err;
  EXPECT_THAT(read_file(scratch.at("p.csv")), HasSubstr("broker"));
  EXPECT_EQ(dshn({"train", "--resume", "--out", scratch.at("run"), "--json"}).json()["test"],
            trained.json()["test"]);
}

TEST(TrainOwnData, TheOrderOfRowsDoesNotChangeABit) {
  const Scratch scratch;
  const Arguments data = own_data(scratch);
  const Outcome first = dshn(quick(data, scratch.at("first")));
  ASSERT_EQ(first.status, 0) << first.err;
  std::vector<std::string> features = feature_rows();
  std::vector<std::string> labels = label_rows();
  Random random(5);
  random.shuffle(features);
  random.shuffle(labels);
  scratch.file("features.csv", lines("company,staff,town", features));
  scratch.file("labels.csv", lines("company,label", labels));

  const Outcome second = dshn(quick(data, scratch.at("second")));

  ASSERT_EQ(second.status, 0) << second.err;
  for (const char* const file : {"predictions.csv", "split-01/model.safetensors", "metrics.jsonl"})
    EXPECT_EQ(read_file(scratch.path() / "first" / file), read_file(scratch.path() / "second" / file))
        << file;
}

TEST(TrainOwnData, ABinaryFileDoesNotChangeABit) {
  const Scratch scratch;
  const Arguments data = own_data(scratch);
  const Outcome first = dshn(quick(data, scratch.at("first")));
  ASSERT_EQ(first.status, 0) << first.err;
  Arguments convert{"data", "convert", data[0], scratch.at("all.dshn")};
  convert.insert(convert.end(), data.begin() + 1, data.end());
  const Outcome converted = dshn(convert);
  ASSERT_EQ(converted.status, 0) << converted.err;

  const Outcome second = dshn(quick({scratch.at("all.dshn")}, scratch.at("second")));

  ASSERT_EQ(second.status, 0) << second.err;
  for (const char* const file : {"predictions.csv", "split-01/model.safetensors", "metrics.jsonl"})
    EXPECT_EQ(read_file(scratch.path() / "first" / file), read_file(scratch.path() / "second" / file))
        << file;
  const auto evaluated = [&](const char* run) {
    const Outcome outcome = dshn({"evaluate", scratch.at(run), "--data", scratch.at("all.dshn"), "--json"});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return outcome.json()["test"];
  };
  EXPECT_EQ(evaluated("first"), evaluated("second"));
}

TEST(TrainOwnData, SplitsAreAsTheUserSays) {
  const Scratch scratch;
  const Arguments data = own_data(scratch);
  const auto protocol = [&](const Arguments& flags, const Arguments& more) {
    const Outcome trained = dshn(quick(flags, scratch.at("run"), with(more, {"--force"})));
    EXPECT_EQ(trained.status, 0) << trained.err;
    return trained.status == 0 ? trained.json()["protocol"].get<std::string>() : "";
  };
  EXPECT_THAT(protocol(data, {"--split", "50/25/25"}),
              HasSubstr("50/25/25 % of the nodes, stratified by class"));

  std::string table = "id,label,part,when\n";
  for (int i = 0; i < kCompanies; ++i)
    table += fmt::format("{},{},{},2024-01-{:02}\n", company(i), i % 2,
                         i % 4 == 0   ? "val"
                         : i % 4 == 1 ? "test"
                                      : "train",
                         1 + i % 28);
  const std::string nodes = scratch.file("nodes.csv", table);
  const Arguments flags{data[0], data[1], data[2], "--features", nodes};
  EXPECT_THAT(protocol(with(flags, {"--split-column", "part"}), {}),
              AllOf(StartsWith("2 splits of column 'part' of "), HasSubstr("they come again")));
  EXPECT_THAT(protocol(with(flags, {"--time-column", "when", "--feature-attributes", "part"}), {}),
              StartsWith("2 splits by time: 60/20/20 % of the nodes, the earliest for training"));
  const Outcome wrong = dshn(quick(data, scratch.at("no"), {"--split", "60/20"}));
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.err, HasSubstr("expected three shares of together 100 % such as 60/20/20"));
}

TEST(TrainOwnData, InfoAndTrainingAgreeOnTheSplits) {
  const Scratch scratch;
  const Arguments data = own_data(scratch);
  const std::string told = dshn(with({"data", "info"}, data, {"--json"})).json()["split_protocol"];
  Arguments arguments = quick(data, scratch.at("run"));
  const auto splits = std::ranges::find(arguments, "--splits");
  arguments.erase(splits, splits + 2);
  const Outcome trained = dshn(arguments);
  ASSERT_EQ(trained.status, 0) << trained.err;
  EXPECT_THAT(trained.json()["protocol"].get<std::string>(), StartsWith(told));
}

TEST(TrainOwnData, TrainsOnWhatOtherProgramsWrite) {
  const Scratch scratch;
  std::string networkx;
  std::string pandas = ",hyperedge,node\n";
  std::string labels = ",label\n";
  std::string hif;
  for (int i = 0; i < 40; ++i) {
    networkx += fmt::format("{} {} {{'weight': {}.5}}\n{} {} {{'weight': 1.0}}\n", i, (i + 1) % 40, i, i, i);
    pandas += fmt::format("{},{},{}\n{},{},{}\n", 2 * i, i / 4, i, 2 * i + 1, i / 4, (i + 7) % 40);
    labels += fmt::format("{},{}\n", i, i % 2 == 0 ? "1.0" : "2.0");
    hif += fmt::format(R"({}{{"node":{},"attrs":{{"team":"{}","age":{}}}}})", i == 0 ? "" : ",", i,
                       i % 2 == 0 ? "red" : "blue", i);
  }
  std::string incidences;
  for (int i = 0; i < 40; ++i)
    incidences += fmt::format(R"({}{{"edge":{},"node":{}}})", i == 0 ? "" : ",", i / 4, i);
  const std::string classes = scratch.file("labels.csv", labels);
  const std::vector<Arguments> sets{
      {scratch.file("g.edgelist", networkx), "--labels", classes},
      {scratch.file("p.csv", pandas), "--labels", classes, "--on-conflict", "keep-tail"},
      {scratch.file("h.json", fmt::format(R"({{"nodes":[{}],"incidences":[{}]}})", hif, incidences)),
       "--label-attribute", "team", "--feature-attributes", "age"}};
  for (const Arguments& data : sets) {
    const Outcome trained = dshn(quick(data, scratch.at("run"), {"--force"}));
    EXPECT_EQ(trained.status, 0) << data[0] << ": " << trained.err;
  }
}

TEST(TrainOwnData, UsesWeightsOfArcsOrRefusesThemByName) {
  const Scratch scratch;
  std::string arcs;
  std::string labels = "id,label\n";
  for (int i = 0; i < 40; ++i) {
    arcs += fmt::format("{} {} {{'weight': {}.5}}\n", i, (i + 1) % 40, i);
    labels += fmt::format("{},{}\n", i, i % 2 == 0 ? "red" : "blue");
  }
  const Arguments data{scratch.file("g.edgelist", arcs), "--labels", scratch.file("labels.csv", labels)};

  const Outcome used = dshn(quick(data, scratch.at("used")));
  ASSERT_EQ(used.status, 0) << used.err;
  EXPECT_THAT(used.err, HasSubstr("the weights of 40 arcs are used: a head counts so many times"));
  const Outcome ignored = dshn(quick(data, scratch.at("ignored"), {"--incidence-weights", "ignore"}));
  ASSERT_EQ(ignored.status, 0) << ignored.err;
  EXPECT_THAT(ignored.err, HasSubstr("the weights of 40 arcs are not used"));
  EXPECT_NE(read_file(scratch.path() / "used/metrics.jsonl"),
            read_file(scratch.path() / "ignored/metrics.jsonl"));

  const Outcome refused =
      dshn(with({"train", "--data"}, data,
                {"--model", "sheaf-hypergnn", "--set", "hyperedge_features=members-product", "--device",
                 "cpu", "--out", scratch.at("refused")}));
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err,
              AllOf(HasSubstr("members-product does not know weights of incidences; node 0 has 0.5 in "
                              "hyperedge 0"),
                    HasSubstr("--incidence-weights=ignore")));
  EXPECT_FALSE(std::filesystem::exists(scratch.path() / "refused"));
}

TEST(TrainOwnData, StandardInputIsForOneProcess) {
  const Scratch scratch;
  const Arguments data = own_data(scratch);
  Setting setting;
  setting.input = data[0];
  const Arguments flags = with({"-"}, {data.begin() + 1, data.end()});
  const Outcome trained = dshn(quick(flags, scratch.at("run")), setting);
  EXPECT_EQ(trained.status, 0) << trained.err;
  const Outcome jobs = dshn(quick(flags, scratch.at("jobs"), {"--jobs", "2"}), setting);
  EXPECT_EQ(jobs.status, 2);
  EXPECT_THAT(jobs.err,
              HasSubstr("--jobs: several processes read the data, which standard input cannot give"));
}

TEST(TuneOwnData, CarriesTheReadingFlags) {
  const Scratch scratch;
  const Arguments data = own_data(scratch);
  const Arguments study =
      with({"tune", "--data"}, data,
           {"--model", "hgnn", "--set", "epochs=3", "--splits", "2", "--split", "50/25/25", "--trials", "2",
            "--device", "cpu", "--json", "--out", scratch.at("study")});
  const Outcome tuned = dshn(study);
  ASSERT_EQ(tuned.status, 0) << tuned.err;
  EXPECT_THAT(read_file(scratch.path() / "study/best.toml"),
              AllOf(HasSubstr("--columns hyperedge=deal,node=company"), HasSubstr("--set split=50/25/25")));
  const Outcome other = dshn({"tune", "--resume", "--out", scratch.at("study"), "--sep", "tab"});
  EXPECT_EQ(other.status, 2);
  EXPECT_THAT(other.err, HasSubstr("is a study with --sep left away, not tab"));
}

}  // namespace
}  // namespace dshn::cli::test
