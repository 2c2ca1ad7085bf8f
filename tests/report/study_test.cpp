#include "dshn/report/study.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dshn/base/error.hpp"
#include "report/files.hpp"

namespace dshn::report {
namespace {

using nlohmann::ordered_json;
using testing::HasSubstr;

/// What a search of two trials leaves.
ordered_json small_summary() {
  return ordered_json::parse(R"({
    "command": "dshn tune --data /elsewhere/deals.csv",
    "request": {"data": "/elsewhere/deals.hif.json", "model": "dshn", "splits": 2, "seed": 1, "device": "cpu",
                "set": {"epochs": "5"}, "sampler": "tpe", "objective": "best",
                "space": [{"name": "q", "values": ["0", "0.25"], "idle_when": []}]},
    "trials_asked": 2, "best": {"number": 1, "state": "completed", "set": {"q": "0.25"}},
    "importance": [{"name": "q", "share": null}],
    "trials": [
      {"number": 1, "state": "completed", "splits": 2, "validation": {"mean": 0.75, "std": 0.1},
       "attempts": 1, "set": {"q": "0.25"}},
      {"number": 0, "state": "failed", "splits": 0, "validation": null, "attempts": 1, "set": {"q": "0"},
       "message": "diverged"}]})");
}

TEST(Study, IsFoundByItsFiles) {
  const TemporaryFolder folder;
  put(folder / "run/result.json", "{}");
  put(folder / "summary/study.json", "{}");
  put(folder / "going-on/study.sqlite", "");
  EXPECT_FALSE(holds_study(folder / "run"));
  EXPECT_FALSE(holds_study(folder / "nowhere"));
  EXPECT_TRUE(holds_study(folder / "summary"));
  EXPECT_TRUE(holds_study(folder / "going-on"));
  EXPECT_FALSE(has_summary(folder / "going-on"));
}

TEST(Study, IsShownWithItsTrials) {
  const TemporaryFolder folder;
  ordered_json summary = small_summary();
  summary["final"] = ordered_json::parse(R"({"splits": 5, "test": {"mean": 0.7, "std": 0.1}})");
  summary["confirmation"] = {{"seed", 1001},
                             {"trials_asked", 1},
                             {"winner", 1},
                             {"trials", ordered_json::array({summary["trials"][0]})}};
  put(folder / "s/study.json", summary.dump());

  const ordered_json study = shown_study(read_study(folder / "s/"), folder / "s/");

  EXPECT_EQ(study["name"], "s");
  EXPECT_EQ(study["data"], "deals") << "a page should not name the machine's folders";
  EXPECT_EQ(study.dump().find("/home"), std::string::npos);
  EXPECT_EQ(study["best"], 1);
  EXPECT_EQ(study["options"]["epochs"], "5");
  EXPECT_EQ(study["space"][0]["values"], ordered_json({"0", "0.25"}));
  EXPECT_EQ(study["trials"][0]["validation"]["mean"], 0.75);
  EXPECT_EQ(study["trials"][1]["message"], "diverged");
  EXPECT_EQ(study["confirmation"]["trials"][0]["number"], 1);
  EXPECT_EQ(study["final"]["test"]["mean"], 0.7);
}

TEST(Study, WithoutAWinnerHasNone) {
  ordered_json summary = small_summary();
  summary["best"] = nullptr;
  EXPECT_TRUE(shown_study(summary, "s")["best"].is_null());
}

TEST(Study, AnOptionIsIdleUnderAListOfConditions) {
  const auto shown = [](const char* stored) {
    ordered_json summary = small_summary();
    summary["request"]["space"][0]["idle_when"] = ordered_json::parse(stored);
    return shown_study(summary, "s")["space"][0]["idle_when"];
  };
  EXPECT_EQ(shown(R"(["maps=trivial", "dropout=0"])"), ordered_json({"maps=trivial", "dropout=0"}));
  EXPECT_EQ(shown(R"("maps=trivial")"), ordered_json::array({"maps=trivial"})) << "of version 0.1";
  EXPECT_EQ(shown(R"("")"), ordered_json::array()) << "of version 0.1";

  ordered_json without = small_summary();
  without["request"]["space"][0].erase("idle_when");
  EXPECT_EQ(shown_study(without, "s")["space"][0]["idle_when"], ordered_json::array());
}

TEST(Study, OtherDocumentsAreRefused) {
  const std::vector<std::pair<const char*, const char*>> cases{{"/trials", "null"},
                                                               {"/trials/0/set", "[]"},
                                                               {"/trials/0/validation", "0.5"},
                                                               {"/request", "null"},
                                                               {"/request/space", "[{}]"},
                                                               {"/request/data", "3"},
                                                               {"/importance", "{}"},
                                                               {"/confirmation", "[]"},
                                                               {"/final", "{}"},
                                                               {"/request/space/0/idle_when", "[3]"}};
  for (const auto& [where, value] : cases) {
    ordered_json summary = small_summary();
    summary[ordered_json::json_pointer(where)] = ordered_json::parse(value);
    EXPECT_THAT(message_of<InvalidInput>([&] { shown_study(summary, "studies/a"); }),
                HasSubstr("studies/a/study.json: not the summary of a study"))
        << where;
  }
  const TemporaryFolder folder;
  put(folder / "study.json", "[");
  EXPECT_THAT(message_of<InvalidInput>([&] { read_study(folder.path()); }), HasSubstr("byte 2: not JSON"));
}

}  // namespace
}  // namespace dshn::report
