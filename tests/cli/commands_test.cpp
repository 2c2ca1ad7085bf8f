#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "cli/files.hpp"
#include "cli/subprocess.hpp"
#include "support/real_data.hpp"

namespace dshn::cli::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using Json = nlohmann::json;

/// Runs the command and expects it to succeed with one JSON document and silence on standard error.
Json json_of(const Arguments& arguments) {
  const Outcome outcome = dshn(arguments);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  return outcome.json();
}

/// As another program may write it: string ids, no list of nodes, weights, attributes, an undirected
/// hyperedge.
constexpr const char* kForeignHif = R"({
  "incidences": [
    {"edge": "reply", "node": "anna", "direction": "tail", "attrs": {"when": 3}},
    {"edge": "reply", "node": "bo\tb, \"jr\"", "direction": "head"},
    {"edge": 7, "node": "1", "direction": "tail"},
    {"edge": 7, "node": 1, "direction": "tail"}],
  "edges": [{"edge": "reply", "weight": 2.5}, {"edge": 7}, {"edge": "nobody"}],
  "network-type": "directed",
  "metadata": {"by": "someone else"}
})";

TEST(DataList, KnowsEverySetAndWhereItIs) {
  const Scratch scratch;
  scratch.file("cora/hypergraph.hif.json", R"({"incidences": []})");
  const Outcome outcome =
      dshn({"data", "list", "--json"}, {.environment = {"DSHN_DATA_DIR=" + scratch.path().string()}});

  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const Json sets = outcome.json()["data_sets"];
  EXPECT_GE(sets.size(), 17U);
  for (const Json& set : sets) {
    if (set["name"] == "cora") {
      EXPECT_EQ(set["path"], scratch.at("cora"));
      EXPECT_EQ(set["paper"]["n_nodes"], 2708);
      EXPECT_EQ(set["paper"]["ce_homophily"], 0.8035);
    }
    if (set["name"] == "roman-empire") {
      EXPECT_EQ(set["on_disk"], false);
      EXPECT_THAT(set["how_to_get"].get<std::string>(), HasSubstr("dshn data fetch roman-empire"));
    }
  }
}

TEST(DataGenerate, TheSyntheticBenchmarkHasThePapersCounts) {
  const Scratch scratch;

  const Json made = json_of({"data", "generate", "--kind", "synthetic", "--inter", "30", "--seed", "1",
                             "--out", scratch.at("set"), "--json"});
  const Json info = json_of({"data", "info", scratch.at("set"), "--compare", "synthetic-io30", "--json"});

  EXPECT_EQ(made["n_hyperedges"], 450);
  EXPECT_EQ(info["n_nodes"], 500);
  EXPECT_EQ(info["n_hyperedges"], 450);
  EXPECT_EQ(info["n_classes"], 5);
  EXPECT_EQ(info["n_directed_hyperedges"], 300);
  EXPECT_EQ(info["n_incidences"], made["n_incidences"]);
  EXPECT_EQ(info["class_counts"], Json({100, 100, 100, 100, 100}));
  EXPECT_EQ(info["paper"]["avg_hyperedge_size"], 10.79);
  EXPECT_THAT(scratch.contents(), ElementsAre("set", "set/hypergraph.hif.json.gz", "set/nodes.npz"));
}

TEST(DataGenerate, TheSameSeedGivesTheSameBytes) {
  const Scratch scratch;
  for (const char* kind : {"synthetic", "random"}) {
    const auto make = [&](const char* seed, const std::string& name, const char* threads) {
      const Outcome outcome =
          dshn({"data", "generate", "--kind", kind, "--seed", seed, "--out", scratch.at(name)},
               {.environment = {std::string("DSHN_NUM_THREADS=") + threads}});
      EXPECT_EQ(outcome.status, 0) << outcome.err;
      return read_file(scratch.at(name));
    };
    const std::string prefix = kind;
    const std::string first = make("5", prefix + "1.hif.json", "1");
    EXPECT_EQ(first, make("5", prefix + "2.hif.json", "3"));
    EXPECT_NE(first.substr(first.find("incidences")), make("6", prefix + "3.hif.json", "1"));
  }
}

TEST(DataGenerate, ParametersOfTheRandomOneAreObeyed) {
  const Scratch scratch;

  json_of({"data", "generate", "--kind", "random", "--nodes", "300", "--hyperedges", "200", "--size-law",
           "fixed", "--mean-size", "4", "--tail-share", "0.25", "--out", scratch.at("r.tsv"), "--json",
           "--seed", "3"});
  const Json info = json_of({"data", "info", scratch.at("r.tsv"), "--json"});

  EXPECT_EQ(info["n_nodes"], 300);
  EXPECT_EQ(info["n_hyperedges"], 200);
  EXPECT_EQ(info["n_incidences"], 800);
  EXPECT_EQ(info["n_tail_incidences"], 200);
  EXPECT_EQ(info["size_histogram"], Json::parse("[[4, 200]]"));
}

TEST(DataGenerate, DrawsLabelsAndFeaturesWhereAskedTo) {
  const Scratch scratch;

  json_of({"data", "generate", "--kind", "random", "--nodes", "300", "--random-labels", "7",
           "--random-features", "5", "--out", scratch.at("set"), "--json"});
  const Json info = json_of({"data", "info", scratch.at("set"), "--json"});

  EXPECT_EQ(info["n_classes"], 7);
  EXPECT_EQ(info["n_features"], 5);
}

TEST(DataGenerate, GivesTheBenchmarkFeaturesWhereAskedTo) {
  const Scratch scratch;

  const Json made = json_of({"data", "generate", "--kind", "synthetic", "--feature-columns", "6",
                             "--feature-signal", "2.5", "--out", scratch.at("set"), "--json"});

  EXPECT_EQ(made["parameters"]["feature_columns"], 6);
  EXPECT_EQ(made["parameters"]["feature_signal"], 2.5);
  EXPECT_EQ(json_of({"data", "info", scratch.at("set"), "--json"})["n_features"], 6);
  EXPECT_EQ(
      dshn({"data", "generate", "--kind", "synthetic", "--feature-signal", "2", "--out", scratch.at("b")})
          .status,
      2);
}

TEST(DataInfo, GivesEveryKeyThatOthersRely) {
  const Scratch scratch;

  const Json info =
      json_of({"data", "info", scratch.file("a.hif.json", R"({"network-type":"directed","incidences":[
      {"edge":0,"node":0,"direction":"tail"},{"edge":0,"node":1,"direction":"head"},
      {"edge":1,"node":1,"direction":"tail"}],"nodes":[{"node":0},{"node":1},{"node":2}]})"),
               "--json"});

  EXPECT_EQ(info["n_nodes"], 3);
  EXPECT_EQ(info["n_features"], nullptr);
  EXPECT_EQ(info["n_hyperedges"], 2);
  EXPECT_EQ(info["n_incidences"], 3);
  EXPECT_EQ(info["n_classes"], 0);
  EXPECT_EQ(info["avg_hyperedge_size"], 1.5);
  EXPECT_EQ(info["avg_node_degree"], 1.0);
  EXPECT_EQ(info["ce_homophily"], nullptr);
  EXPECT_EQ(info["n_isolated_nodes"], 1);
  EXPECT_EQ(info["n_components"], 2);
  EXPECT_EQ(info["n_role_components"], 3);
  EXPECT_EQ(info["directed_share"], 0.5);
}

TEST(DataInfo, DrawsForPeople) {
  const Scratch scratch;
  dshn({"data", "generate", "--kind", "synthetic", "--out", scratch.at("set")});

  const Outcome outcome = dshn({"data", "info", scratch.at("set"), "--draw"});

  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, HasSubstr("class 4"));
  EXPECT_THAT(outcome.out, HasSubstr("│ tail"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("\x1b")));
}

TEST(DataInfo, ForeignHifLoads) {
  const Scratch scratch;
  const Outcome outcome = dshn({"data", "info", scratch.file("f.json", kForeignHif), "--json"});

  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.json()["n_nodes"], 4);
  EXPECT_EQ(outcome.json()["n_hyperedges"], 3);
  EXPECT_EQ(outcome.json()["weighted"], true);
}

TEST(DataConvert, HifToListAndBackLosesNothing) {
  const Scratch scratch;
  const std::string foreign = scratch.file("f.json", R"({"network-type":"directed","incidences":[
      {"edge":"reply","node":"anna","direction":"tail"},{"edge":"reply","node":"bo\tb, \"jr\"","direction":"head"},
      {"edge":7,"node":"1","direction":"tail"},{"edge":7,"node":1,"direction":"tail"},
      {"edge":"é # x","node":-5,"direction":"head"},{"edge":"é # x","node":4294967296,"direction":"tail"}],
      "nodes":[{"node":"alone"},{"node":"anna"}],
      "edges":[{"edge":"reply","weight":0.1},{"edge":7},{"edge":"nobody","weight":3}]})");
  for (const std::string list : {"list.tsv", "list.csv", "list.tsv.gz", "list.csv.zst"}) {
    const std::string first = scratch.at(list + ".1.hif.json");
    const std::string second = scratch.at(list + ".2.hif.json");

    EXPECT_EQ(dshn({"data", "convert", foreign, first}).status, 0);
    const Outcome there = dshn({"data", "convert", first, scratch.at(list)});
    const Outcome back = dshn({"data", "convert", scratch.at(list), second});

    EXPECT_EQ(there.status, 0) << there.err;
    EXPECT_EQ(back.status, 0) << back.err;
    EXPECT_EQ(read_file(first), read_file(second)) << list;
    EXPECT_EQ(dshn({"data", "validate", second}).status, 0);
  }
}

TEST(DataConvert, AFolderKeepsEverything) {
  const Scratch scratch;
  dshn({"data", "generate", "--kind", "synthetic", "--out", scratch.at("a")});

  const Json made = json_of({"data", "convert", scratch.at("a"), scratch.at("b"), "--json"});

  EXPECT_EQ(made["n_hyperedges"], 450);
  EXPECT_EQ(read_file(scratch.at("a/nodes.npz")), read_file(scratch.at("b/nodes.npz")));
  EXPECT_EQ(read_file(scratch.at("a/hypergraph.hif.json.gz")),
            read_file(scratch.at("b/hypergraph.hif.json.gz")));
}

TEST(DataConvert, ABinaryFileKeepsEverything) {
  const Scratch scratch;
  dshn({"data", "generate", "--kind", "synthetic", "--feature-columns", "3", "--out", scratch.at("a")});
  dshn({"data", "generate", "--kind", "synthetic", "--feature-columns", "3", "--out", scratch.at("a.dshn")});

  EXPECT_EQ(json_of({"data", "convert", scratch.at("a"), scratch.at("b.dshn"), "--json"})["n_nodes"], 500);
  json_of({"data", "convert", scratch.at("b.dshn"), scratch.at("c"), "--json"});

  EXPECT_EQ(read_file(scratch.at("a.dshn")), read_file(scratch.at("b.dshn")));
  for (const std::string file : {"/nodes.npz", "/hypergraph.hif.json.gz"})
    EXPECT_EQ(read_file(scratch.at("a" + file)), read_file(scratch.at("c" + file)));
  Json of_folder = json_of({"data", "info", scratch.at("a"), "--json"});
  Json of_file = json_of({"data", "info", scratch.at("a.dshn"), "--json"});
  for (Json* const one : {&of_folder, &of_file})
    for (const char* const place : {"origin", "format"}) one->erase(place);
  EXPECT_EQ(of_folder, of_file);
}

TEST(DataConvert, SaysWhatAFormatCannotHold) {
  const Scratch scratch;
  dshn({"data", "generate", "--kind", "synthetic", "--out", scratch.at("a")});

  const Outcome outcome = dshn({"data", "convert", scratch.at("a"), scratch.at("list.tsv")});

  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.err, HasSubstr("left out"));
  EXPECT_THAT(outcome.err, HasSubstr("y, metadata"));
}

TEST(DataConvert, OverwritesOnlyByForceAndOnlyDataSets) {
  const Scratch scratch;
  const std::string in = scratch.file("in.json", R"({"incidences":[{"edge":0,"node":0}]})");
  scratch.file("out.tsv", "precious");
  scratch.file("home/diary.txt", "precious");

  EXPECT_EQ(dshn({"data", "convert", in, scratch.at("out.tsv")}).status, 2);
  EXPECT_EQ(read_file(scratch.at("out.tsv")), "precious");
  EXPECT_EQ(dshn({"data", "convert", in, scratch.at("out.tsv"), "--force"}).status, 0);
  EXPECT_NE(read_file(scratch.at("out.tsv")), "precious");
  EXPECT_EQ(dshn({"data", "convert", in, scratch.at("home"), "--force"}).status, 2);
  EXPECT_EQ(read_file(scratch.at("home/diary.txt")), "precious");
  EXPECT_EQ(dshn({"data", "convert", in, scratch.at("set")}).status, 0);
  EXPECT_EQ(dshn({"data", "convert", in, scratch.at("set")}).status, 2);
  EXPECT_EQ(dshn({"data", "convert", in, scratch.at("set/"), "--force"}).status, 0);
  EXPECT_EQ(dshn({"data", "convert", in, scratch.at("strange.xyz")}).status, 2);
  EXPECT_THAT(scratch.contents(), ElementsAre("home", "home/diary.txt", "in.json", "out.tsv", "set",
                                              "set/hypergraph.hif.json.gz"));
}

TEST(DataConvert, AFolderThatCannotBeWrittenIsAFailure) {
  const Scratch scratch;
  const std::string in = scratch.file("in.json", R"({"incidences":[{"edge":0,"node":0}]})");

  for (const char* out : {"/proc/no.json", "/proc/no"}) {
    const Outcome outcome = dshn({"data", "convert", in, out});
    EXPECT_EQ(outcome.status, 1) << outcome.err;
    EXPECT_TRUE(outcome.one_line()) << outcome.err;
  }
}

TEST(DataValidate, ReportsEveryViolationWithItsPlace) {
  const Scratch scratch;
  const std::string text = R"({"incidences":[{"edge":0},{"edge":0,"node":1.5}],"colour":1})";
  const std::string path = scratch.file("bad.json", text);

  const Outcome outcome = dshn({"data", "validate", path, "--json"});

  EXPECT_EQ(outcome.status, 3);
  EXPECT_TRUE(outcome.one_line()) << outcome.err;
  const Json report = outcome.json();
  EXPECT_EQ(report["valid"], false);
  EXPECT_EQ(report["n_violations"], 3);
  EXPECT_EQ(report["violations"][0]["pointer"], "/incidences/0");
  EXPECT_EQ(report["violations"][1]["pointer"], "/incidences/1/node");
  EXPECT_EQ(report["violations"][1]["offset"], text.find("1.5"));
  EXPECT_THAT(dshn({"data", "validate", path}).out, HasSubstr("/incidences/1/node"));
}

TEST(DataValidate, PassesGoodFiles) {
  const Scratch scratch;
  const std::string good = scratch.file("good.json.gz", gzipped(kForeignHif));

  EXPECT_EQ(json_of({"data", "validate", good, "--json"})["valid"], true);
  EXPECT_EQ(dshn({"data", "validate", scratch.at("absent.json")}).status, 3);
  EXPECT_EQ(dshn({"data", "validate", scratch.file("cut.json", R"({"incidences": [)")}).status, 3);
  EXPECT_EQ(dshn({"data", "validate", scratch.file("empty.json", "")}).status, 3);
}

TEST(DataValidate, HoldsABinaryFileAgainstItsDigests) {
  const Scratch scratch;
  const std::string good = scratch.at("good.dshn");
  dshn({"data", "generate", "--kind", "synthetic", "--out", good});
  std::string bytes = read_file(good);
  bytes[bytes.size() - 64] ^= 1;

  EXPECT_EQ(json_of({"data", "validate", good, "--json"})["valid"], true);
  EXPECT_THAT(dshn({"data", "validate", good}).out, HasSubstr("valid binary data set"));
  for (const std::string& bad : {bytes, bytes.substr(0, 5000), bytes.substr(0, 9), bytes + "x"}) {
    const std::string path = scratch.file("bad.dshn", bad);
    for (const Arguments& command : {Arguments{"data", "validate", path}, Arguments{"data", "info", path},
                                     Arguments{"train", "--data", path, "--out", scratch.at("run")}}) {
      const Outcome outcome = dshn(command);
      EXPECT_EQ(outcome.status, 3);
      EXPECT_TRUE(outcome.one_line()) << outcome.err;
      EXPECT_THAT(outcome.err, HasSubstr("bad.dshn, byte "));
    }
  }
}

TEST(RealData, ThirteenSetsEqualThePapersRowInEveryDigit) {
  DSHN_NEEDS_REAL_DATA("cora");
  int equal = 0;
  for (const auto& folder : std::filesystem::directory_iterator(dshn::test::real_data())) {
    if (!std::filesystem::exists(folder.path() / "stats.json")) continue;
    const Json stats = Json::parse(read_file(folder.path() / "stats.json"));
    const Json info = json_of({"data", "info", folder.path().string(), "--json"});

    bool matches = true;
    for (const auto& [key, verdict] : stats["comparison"].items()) {
      matches = matches && (verdict == "equal" || verdict == "both absent");
    }
    EXPECT_EQ(info["equals_paper"], matches) << folder.path();
    equal += matches ? 1 : 0;
    for (const char* key : {"n_nodes", "n_features", "n_hyperedges", "n_classes"}) {
      EXPECT_EQ(info[key], stats[key]) << folder.path() << ' ' << key;
    }
    for (const char* key : {"avg_hyperedge_size", "avg_node_degree", "ce_homophily"}) {
      ASSERT_EQ(info[key].is_number(), stats[key].is_number()) << folder.path() << ' ' << key;
      if (!stats[key].is_number()) continue;
      EXPECT_NEAR(info[key].get<double>(), stats[key].get<double>(), 1e-6) << folder.path() << ' ' << key;
    }
  }
  EXPECT_EQ(equal, 13);
}

TEST(RealData, ThePageShowsThePapersDigits) {
  DSHN_NEEDS_REAL_DATA("cora");
  const std::string page = dshn({"data", "info", (dshn::test::real_data() / "cora").string()}).out;

  for (const char* line :
       {"nodes          2,708         2,708  =\n", "features       1,433         1,433  =\n",
        "hyperedges     1,565         1,565  =\n", "classes            7             7  =\n",
        "avg size        4.47          4.47  =\n", "avg degree      2.58          2.58  =\n",
        "CE homophily  0.8035        0.8035  =\n"}) {
    EXPECT_THAT(page, HasSubstr(line));
  }
}

}  // namespace
}  // namespace dshn::cli::test
