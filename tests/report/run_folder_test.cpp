#include "dshn/report/run_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "dshn/base/error.hpp"
#include "report/files.hpp"

namespace dshn::report {
namespace {

using nlohmann::ordered_json;
using testing::ElementsAre;
using testing::HasSubstr;

/// The message of the expected error; fails where there is another or none.
template <typename Expected>
std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Expected& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

TEST(RunFolder, IsReadWithItsCurves) {
  const TemporaryFolder folder;
  put(folder / "a/result.json", small_result().dump());
  put(folder / "a/metrics.jsonl",
      "{\"split\":0,\"epoch\":1,\"loss\":1.23456789,\"train\":0.5,\"val\":0.25,\"val_loss\":2}\n"
      "{\"split\":0,\"epoch\":2,\"loss\":1,\"train\":0.75,\"val\":0.5,\"val_loss\":1}\n"
      "{\"split\":1,\"epoch\":1,\"loss\":3,\"train\":0.5,\"val\":0.25,\"val_loss\":null}\n");

  const ordered_json run = read_run(folder / "a/");

  EXPECT_EQ(run["name"], "a");
  EXPECT_EQ(run["options"]["q"], "0.1");
  EXPECT_EQ(run["splits"][0]["confusion"], ordered_json::parse("[[1,1],[0,2]]"));
  ASSERT_EQ(run["curves"].size(), 2U);
  EXPECT_EQ(run["curves"][0]["loss"], ordered_json::parse("[1.2346,1.0]"));
  EXPECT_EQ(run["curves"][1]["epoch"], ordered_json::parse("[1.0]"));
  EXPECT_EQ(run["curves"][1]["val_loss"], ordered_json::parse("[null]"));
  EXPECT_FALSE(run.contains("run")) << "a page should not name the machine's folders";
}

TEST(RunFolder, LongCurvesAreThinnedEvenly) {
  const TemporaryFolder folder;
  put(folder / "a/result.json", small_result().dump());
  std::string lines;
  for (int epoch = 1; epoch <= 1000; ++epoch)
    lines += ordered_json{{"split", 0}, {"epoch", epoch}, {"loss", 1.0}}.dump() + "\n";
  put(folder / "a/metrics.jsonl", lines);

  const ordered_json curve = read_run(folder / "a")["curves"][0];

  EXPECT_EQ(curve["step"], 3);
  EXPECT_EQ(curve["epoch"].size(), 334U);
  EXPECT_EQ(curve["epoch"][1], 4.0);
}

TEST(RunFolder, WrongFoldersAreNamed) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "empty");
  put(folder / "unfinished/config.toml", "data = \"texas\"\n");
  put(folder / "broken/result.json", "{\"model\": ");
  put(folder / "other/result.json", "{\"model\": 3}");
  put(folder / "curves/result.json", small_result().dump());
  put(folder / "curves/metrics.jsonl", "{\"split\":0,\"epoch\":1}\nnonsense\n");

  EXPECT_THAT(message_of<UsageError>([&] { read_run(folder / "none"); }), HasSubstr("no such run folder"));
  EXPECT_THAT(message_of<UsageError>([&] { read_run(folder / "empty"); }), HasSubstr("holds no run"));
  EXPECT_THAT(message_of<InvalidInput>([&] { read_run(folder / "unfinished"); }),
              HasSubstr("is not finished"));
  EXPECT_THAT(message_of<InvalidInput>([&] { read_run(folder / "broken"); }), HasSubstr("byte 11: not JSON"));
  EXPECT_THAT(message_of<InvalidInput>([&] { read_run(folder / "other"); }), HasSubstr("model"));
  EXPECT_THAT(message_of<InvalidInput>([&] { read_run(folder / "curves"); }), HasSubstr("metrics.jsonl:2"));
}

TEST(Predictions, QuotedNamesAreRead) {
  const TemporaryFolder folder;
  put(folder / "predictions.csv",
      "id,part,label,predicted,p0,p1\n"
      "\"a,\"\"b\"\"\n</script>\",test,0,1,0.25,0.75\n"
      "c,,1,0,1,0\n");

  const Predictions predictions = read_predictions(folder.path());

  EXPECT_THAT(predictions.id, ElementsAre("a,\"b\"\n</script>", "c"));
  EXPECT_THAT(predictions.part, ElementsAre("test", ""));
  EXPECT_THAT(predictions.label, ElementsAre(0, 1));
  EXPECT_THAT(predictions.predicted, ElementsAre(1, 0));
  EXPECT_THAT(predictions.confidence, ElementsAre(0.75F, 1.0F));
}

TEST(Predictions, WrongLinesAreNamed) {
  const TemporaryFolder folder;
  EXPECT_THAT(message_of<InvalidInput>([&] { read_predictions(folder.path()); }), HasSubstr("cannot open"));
  put(folder / "predictions.csv", "id,label\n");
  EXPECT_THAT(message_of<InvalidInput>([&] { read_predictions(folder.path()); }), HasSubstr("line 1"));
  for (const char* record :
       {"a,test,0,2,0.5,0.5", "a,test,0,x,0.5,0.5", "a,test,0,1,0.5", "a,test,0,-1,0.5,0.5"}) {
    put(folder / "predictions.csv", std::string("id,part,label,predicted,p0,p1\n") + record + "\n");
    EXPECT_THAT(message_of<InvalidInput>([&] { read_predictions(folder.path()); }), HasSubstr("line 2"))
        << record;
  }
}

TEST(Results, CellsAreReadAndOtherFilesRefused) {
  const TemporaryFolder folder;
  put(folder / "t.json", R"({"table": "synthetic", "cells": [
        {"data": "texas", "model": "dshn", "test": {"mean": 80.5, "std": 1}, "paper": "out of memory"},
        {"data": "cora", "model": "dshn", "paper": null}]})");
  put(folder / "list.json", "[]");
  put(folder / "cell.json", R"({"cells": [{}]})");

  const ordered_json table = read_results(folder / "t.json");

  EXPECT_EQ(table["table"], "synthetic");
  EXPECT_EQ(table["cells"][0]["test"]["mean"], 80.5);
  EXPECT_TRUE(table["cells"][1]["test"].is_null());
  message_of<UsageError>([&] { read_results(folder / "none.json"); });
  EXPECT_THAT(message_of<InvalidInput>([&] { read_results(folder / "list.json"); }), HasSubstr("cells"));
  EXPECT_THAT(message_of<InvalidInput>([&] { read_results(folder / "cell.json"); }), HasSubstr("data"));
}

}  // namespace
}  // namespace dshn::report
