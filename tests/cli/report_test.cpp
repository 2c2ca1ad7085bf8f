// dshn report, from outside. The script of the page is replaced by a short one: what the real one does is
// tested in a browser (tests/report/browser).
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "cli/subprocess.hpp"

namespace dshn::cli::test {
namespace {

using testing::HasSubstr;

/// Runs beside a small script and style.
class Report : public testing::Test {
 protected:
  Report() {
    std::filesystem::create_directories(scratch_.path() / "share");
    scratch_.file("share/report.js", "start();");
    scratch_.file("share/report.css", "body {}");
  }

  std::string at(const std::string& name) const { return scratch_.at(name); }

  Outcome report(Arguments arguments) const {
    arguments.insert(arguments.begin(), "report");
    return dshn(arguments, {{"DSHN_SHARE_DIR=" + at("share")}});
  }

  /// A run of a moment.
  std::string train(const std::string& name, const Arguments& more, const std::string& splits = "1") const {
    Arguments arguments{"train", "--device", "cpu",      "--threads", "1",     "--splits",
                        splits,  "--set",    "epochs=2", "--out",     at(name)};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = dshn(arguments);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return at(name);
  }

  /// What the page holds for its script.
  nlohmann::json data_of(const std::string& name) const {
    const std::string text = read_file(at(name));
    const std::string begin = "id=\"dshn-data\">";
    const std::size_t from = text.find(begin) + begin.size();
    return nlohmann::json::parse(text.substr(from, text.find("</script>", from) - from));
  }

  Scratch scratch_;
};

Arguments small_benchmark(const Arguments& more) {
  Arguments arguments{"--data", "synthetic-generated-io10"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

TEST_F(Report, ShowsTwoRunsInOnePage) {
  const std::string one = train(
      "one", small_benchmark({"--model", "dshn", "--set", "d=1", "--set", "layers=1", "--set", "q=0.1"}));
  const std::string two = train("two", small_benchmark({"--model", "hgnn"}));

  const Outcome outcome = report({one, two + "/", "--out", at("page.html"), "--title", "Two"});

  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.out, at("page.html") + "\n");
  const nlohmann::json data = data_of("page.html");
  ASSERT_EQ(data["runs"].size(), 2U);
  EXPECT_EQ(data["hypergraphs"].size(), 1U) << "the runs share their data set";
  EXPECT_EQ(data["runs"][0]["name"], "one");
  EXPECT_EQ(data["runs"][0]["options"]["q"], "0.1");
  EXPECT_EQ(data["runs"][0]["options"]["hidden_width"], "64") << "defaults are options too";
  EXPECT_EQ(data["runs"][1]["name"], "two");
  EXPECT_EQ(data["runs"][1]["title"], "HGNN");
  EXPECT_TRUE(data["runs"][1]["paper"].is_null()) << "one split is not the paper's protocol";
  EXPECT_TRUE(data["problems"].empty());
  for (const auto& run : data["runs"]) {
    EXPECT_EQ(run["details"]["representation"]["x"].size(), 500U);
    EXPECT_EQ(run["details"]["hypergraph"], 0);
  }
  EXPECT_THAT(data["runs"][0]["details"]["representation"]["shown"].get<std::string>(),
              HasSubstr("last linear layer"));
  EXPECT_THAT(data["runs"][1]["details"]["representation"]["shown"].get<std::string>(),
              HasSubstr("class scores"));
  const auto& learned = data["runs"][0]["details"]["spectrum"];
  EXPECT_THAT(learned["sheaf"].get<std::string>(),
              HasSubstr("the last layer of split 0 has learned, q = 0.1"));
  EXPECT_EQ(learned["density"].size(), learned["lambda"].size()) << "500 nodes with d = 4: too many for all";
  const auto& plain = data["runs"][1]["details"]["spectrum"];
  EXPECT_THAT(plain["sheaf"].get<std::string>(), HasSubstr("trivial maps"));
  EXPECT_EQ(plain["eigenvalues"].size(), 500U);
}

TEST_F(Report, ShowsTheSpectrumOfTheOperatorThatWasUsedOrSaysWhyNot) {
  const auto spectrum = [&](const std::string& name, const std::string& option) {
    const std::string run = train(
        name, small_benchmark({"--model", "dshn", "--set", "d=1", "--set", "layers=1", "--set", option}));
    EXPECT_EQ(report({run, "--out", at(name + ".html")}).status, 0);
    return data_of(name + ".html")["runs"][0]["details"]["spectrum"];
  };

  const auto with_identity = spectrum("identity", "add_identity=true");
  EXPECT_THAT(with_identity["sheaf"].get<std::string>(), HasSubstr("D_V + I"));
  const auto eigenvalues = with_identity["eigenvalues"].get<std::vector<double>>();
  ASSERT_EQ(eigenvalues.size(), 500U);
  EXPECT_GT(*std::min_element(eigenvalues.begin(), eigenvalues.end()), 0.01) << "no signal is left as it is";
  EXPECT_THAT(spectrum("charges", "q=learn-per-hyperedge")["missing"].get<std::string>(),
              HasSubstr("each hyperedge has a charge of its own"));
  EXPECT_THAT(spectrum("degree", "normalisation=degree")["missing"].get<std::string>(),
              HasSubstr("normalisation=degree"));
}

TEST_F(Report, ThePaperStandsBesideItsOwnProtocolAlone) {
  const Arguments folders{
      train("paper", small_benchmark({"--model", "hgnn"}), "10"),
      train("metric", small_benchmark({"--model", "hgnn", "--set", "metric=macro-f1"}), "10"),
      train("splits", small_benchmark({"--model", "hgnn", "--set", "split=stratified"}), "10")};
  Arguments arguments = folders;
  arguments.insert(arguments.end(), {"--details", "0", "--out", at("page.html")});

  ASSERT_EQ(report(arguments).status, 0);

  const nlohmann::json runs = data_of("page.html")["runs"];
  EXPECT_EQ(runs[0]["paper"]["mean"], 47.12);
  EXPECT_TRUE(runs[1]["paper"].is_null());
  EXPECT_TRUE(runs[2]["paper"].is_null());
}

/// Twelve nodes in three hyperedges with names that would end the script.
std::string hostile_hypergraph(const Scratch& scratch) {
  std::vector<std::string> nodes;
  std::vector<std::string> incidences;
  for (int v = 0; v < 12; ++v) {
    const std::string name = fmt::format("</script><script>alert({})</script>", v);
    nodes.push_back(fmt::format(R"({{"node":"{}","attrs":{{"label":{}}}}})", name, v % 2));
    incidences.push_back(fmt::format(R"({{"edge":"<!-- {}","node":"{}","direction":"{}"}})", v % 3, name,
                                     v < 6 ? "tail" : "head"));
  }
  return scratch.file("hostile.hif.json",
                      fmt::format(R"({{"network-type":"directed","nodes":[{}],"incidences":[{}]}})",
                                  fmt::join(nodes, ","), fmt::join(incidences, ",")));
}

std::size_t occurrences(const std::string& text, const std::string& pattern) {
  const std::regex regex(pattern, std::regex::icase);
  return static_cast<std::size_t>(
      std::distance(std::sregex_iterator(text.begin(), text.end(), regex), std::sregex_iterator()));
}

TEST_F(Report, NamesOfNodesAreOnlyNames) {
  const std::string run = train("run", {"--data", hostile_hypergraph(scratch_)});

  const Outcome outcome =
      report({run, "--out", at("page.html"), "--title", "</title><script>alert(0)</script>"});

  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const std::string text = read_file(at("page.html"));
  EXPECT_EQ(occurrences(text, "<script"), 2U);
  EXPECT_EQ(occurrences(text, "</script"), 2U);
  EXPECT_EQ(occurrences(text, "<!--"), 0U);
  EXPECT_EQ(occurrences(text, "</title"), 1U);
  const nlohmann::json data = data_of("page.html");
  EXPECT_EQ(data["hypergraphs"][0]["node_names"][3], "</script><script>alert(3)</script>");
  EXPECT_EQ(data["runs"][0]["details"]["representation"]["id"][3], "</script><script>alert(3)</script>");
}

TEST_F(Report, SaysWhatCannotBeShownWithoutTheData) {
  const std::string file = hostile_hypergraph(scratch_);
  const std::string run = train("run", {"--data", file});
  std::filesystem::remove(file);

  const Outcome outcome = report({run, "--out", at("page.html")});

  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_TRUE(outcome.one_line()) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("hostile.hif.json"));
  EXPECT_TRUE(data_of("page.html")["runs"][0]["details"].contains("missing"));
}

TEST_F(Report, ExplainsTheItemsThatAreNamed) {
  const std::string run =
      train("run", small_benchmark({"--model", "dshn", "--set", "d=1", "--set", "layers=1"}));

  const Outcome outcome = report({run, "--explain", "17", "nobody", "--out", at("page.html")});

  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_TRUE(outcome.one_line()) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("no explanation of nobody: "));
  const nlohmann::json found = data_of("page.html")["runs"][0]["details"]["explanations"];
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0]["id"], 17);
  EXPECT_FALSE(found[0]["hyperedges"].empty());
  EXPECT_EQ(found[1]["id"], "nobody");
  EXPECT_THAT(found[1]["missing"].get<std::string>(), HasSubstr("named 0 to 499"));
}

TEST_F(Report, WrongRequestsAreOneLineAndLeaveThePageAlone) {
  std::filesystem::create_directories(at("empty"));
  std::filesystem::create_directories(at("unfinished"));
  std::filesystem::create_directories(at("broken"));
  scratch_.file("unfinished/config.toml", "data = \"texas\"\n");
  scratch_.file("broken/result.json", "{");
  scratch_.file("table.json", "[]");
  scratch_.file("page.html", "the page of yesterday");
  const auto before = scratch_.contents();
  const std::vector<std::tuple<Arguments, int, const char*>> cases{
      {{}, 2, "nothing to report"},
      {{at("nowhere")}, 2, "no such run folder"},
      {{at("empty")}, 2, "expected a folder that training made"},
      {{at("unfinished")}, 3, "--resume"},
      {{at("broken")}, 3, "not JSON, which training writes there"},
      {{"--results", at("table.json")}, 3, "cells"},
      {{"--results", at("none.json")}, 2, "none.json"},
      {{at("empty"), "--details", "-1"}, 2, "--details"}};
  for (const auto& [given, status, says] : cases) {
    Arguments arguments = given;
    arguments.insert(arguments.end(), {"--out", at("page.html")});
    const Outcome outcome = report(arguments);
    EXPECT_EQ(outcome.status, status) << outcome.err;
    EXPECT_TRUE(outcome.one_line()) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(says));
    EXPECT_EQ(read_file(at("page.html")), "the page of yesterday");
    EXPECT_EQ(scratch_.contents(), before);
  }
}

TEST_F(Report, WhatIsBrokenIsALineAndTheRestIsShown) {
  const std::string good = train("good", small_benchmark({"--model", "hgnn"}));
  std::filesystem::create_directories(at("broken"));
  std::filesystem::create_directories(at("unfinished"));
  scratch_.file("broken/result.json", "{");
  scratch_.file("unfinished/config.toml", "data = \"texas\"\n");
  scratch_.file("table.json", "[]");

  const Outcome outcome = report({at("broken"), good, at("unfinished/"), "--results", at("table.json"),
                                  "--out", at("page.html"), "--details", "1"});

  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("left out: " + at("broken/result.json") + ": byte 2: not JSON"));
  EXPECT_THAT(outcome.err, HasSubstr("left out: " + at("unfinished") + ": the run is not finished"));
  EXPECT_THAT(outcome.err, HasSubstr("dshn train --resume --out " + at("unfinished")));
  EXPECT_EQ(occurrences(outcome.err, "\n"), 3U) << outcome.err;
  const nlohmann::json data = data_of("page.html");
  ASSERT_EQ(data["runs"].size(), 1U);
  EXPECT_TRUE(data["runs"][0]["details"].contains("spectrum")) << "the first whole run has details";
  EXPECT_EQ(data["problems"],
            nlohmann::json({"broken/result.json: byte 2: not JSON, which training writes there",
                            "unfinished: the run is not finished",
                            "table.json: not the table of an experiment: there are no cells"}));
}

TEST_F(Report, ShowsAStudyBesideARun) {
  const Outcome tuned =
      dshn({"tune", "--data", "synthetic-generated-io10", "--model", "hgnn", "--device", "cpu", "--trials",
            "3", "--splits", "1", "--set", "epochs=1", "--out", at("study"), "--quiet"});
  ASSERT_EQ(tuned.status, 0) << tuned.err;
  const std::string run = train("run", small_benchmark({"--model", "hgnn"}));
  std::filesystem::create_directories(at("summary"));
  std::filesystem::copy(at("study/study.json"), at("summary/study.json"));
  std::filesystem::create_directories(at("broken"));
  scratch_.file("broken/study.sqlite", "this is not a database, whatever its name says, not at all");

  const Outcome outcome = report({at("study"), run, at("summary"), at("broken"), "--out", at("page.html")});

  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_TRUE(outcome.one_line()) << outcome.err;
  const nlohmann::json data = data_of("page.html");
  EXPECT_EQ(data["runs"].size(), 1U);
  ASSERT_EQ(data["studies"].size(), 2U);
  EXPECT_EQ(data["studies"][0]["title"], "HGNN");
  EXPECT_EQ(data["studies"][0]["trials"].size(), 3U);
  EXPECT_EQ(data["studies"][0]["trials"], data["studies"][1]["trials"]);
  EXPECT_EQ(data["problems"].size(), 1U);
}

TEST_F(Report, ThePageAppearsCompleteOrNotAtAll) {
  scratch_.file("t.json", R"({"table": "t", "cells": [{"data": "texas", "model": "dshn", "paper": null,
                              "test": {"mean": 80, "std": 1, "n": 10}}]})");
  ASSERT_EQ(report({"--results", at("t.json"), "--out", at("page.html")}).status, 0);
  EXPECT_THAT(read_file(at("page.html")), testing::EndsWith("</html>\n"));
  EXPECT_EQ(data_of("page.html")["tables"][0]["cells"][0]["title"], "DSHN");
  const auto before = scratch_.contents();

  const Outcome failed = report({"--results", at("t.json"), "--out", at("no/such/folder/page.html")});

  EXPECT_EQ(failed.status, 1);
  EXPECT_TRUE(failed.one_line()) << failed.err;
  EXPECT_EQ(scratch_.contents(), before);
}

TEST_F(Report, SaysHowToGetTheScript) {
  scratch_.file("t.json", R"({"cells": []})");
  const Outcome outcome = dshn({"report", "--results", at("t.json"), "--out", at("page.html")},
                               {{"DSHN_SHARE_DIR=" + at("nothing")}});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_TRUE(outcome.one_line()) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("apt-get install nodejs npm"));
  EXPECT_FALSE(std::filesystem::exists(at("page.html")));
}

}  // namespace
}  // namespace dshn::cli::test
