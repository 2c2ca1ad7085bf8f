#include "dshn/report/run_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dshn/base/error.hpp"
#include "report/files.hpp"

namespace dshn::report {
namespace {

using nlohmann::ordered_json;
using testing::HasSubstr;

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

TEST(RunFolder, OfNumbersHasWhatIsTrueAndWhatWasPredicted) {
  const TemporaryFolder folder;
  ordered_json result = small_result();
  result["target"] = "numbers";
  result["metric"] = "r2";
  result.erase("class_names");
  for (ordered_json& split : result["splits"])
    split["test_figures"] = {{"r2", 0.5}, {"rmse", 2.0}, {"mae", 1.5}};
  put(folder / "a/result.json", result.dump());
  put(folder / "a/predictions.csv", "id,part,true,predicted\nx,train,1.5,1.25\ny,,,7\nz,test,-2,0\n");

  const ordered_json run = read_run(folder / "a");

  EXPECT_EQ(run["target"], "numbers");
  EXPECT_EQ(run["splits"][0]["rmse"], 2.0);
  EXPECT_EQ(run["numbers"]["id"], ordered_json::parse(R"(["x", "z"])")) << "those that are known";
  EXPECT_EQ(run["numbers"]["columns"][0]["true"], ordered_json::parse("[1.5, -2.0]"));
  EXPECT_EQ(run["numbers"]["columns"][0]["predicted"], ordered_json::parse("[1.25, 0.0]"));

  put(folder / "a/predictions.csv", "id,part,true,predicted\nx,train,high,1.25\n");
  EXPECT_THAT(message_of<InvalidInput>([&] { read_run(folder / "a"); }),
              HasSubstr("true and predicted numbers"));
  result["splits"][0]["test_figures"].erase("mae");
  put(folder / "a/result.json", result.dump());
  EXPECT_THAT(message_of<InvalidInput>([&] { read_run(folder / "a"); }), HasSubstr("test_figures"));
}

TEST(RunFolder, OfLabelsHasTheirCounts) {
  const TemporaryFolder folder;
  ordered_json result = small_result();
  result["target"] = "labels";
  for (ordered_json& split : result["splits"])
    split["test_figures"] = {{"labels", {{{"support", 3}, {"predicted", 2}, {"both", 1}, {"f1", 0.4}}}}};
  put(folder / "a/result.json", result.dump());

  const ordered_json run = read_run(folder / "a");

  EXPECT_EQ(run["splits"][0]["labels"],
            ordered_json::parse(R"([{"support": 3, "predicted": 2, "both": 1}])"));
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

TEST(RunFolder, WordsOfClassesAreKept) {
  const TemporaryFolder folder;
  ordered_json result = small_result();
  put(folder / "numbers/result.json", result.dump());
  result["class_names"] = {"red", "blue"};
  put(folder / "words/result.json", result.dump());

  EXPECT_FALSE(read_run(folder / "numbers").contains("class_names"));
  EXPECT_EQ(read_run(folder / "words")["class_names"], ordered_json({"red", "blue"}));
}

TEST(RunFolder, WhatThePageCouldNotShowIsRefused) {
  const TemporaryFolder folder;
  const std::vector<std::pair<const char*, const char*>> cases{
      {"/splits/0/test_figures/confusion", "\"none\""},
      {"/splits/0/test_figures/confusion", "[[1,2]]"},
      {"/splits/0/test_figures/confusion", "[[1,\"x\"],[0,1]]"},
      {"/splits/0/split", "\"first\""},
      {"/splits/0/test_figures", "null"},
      {"/splits", "[]"},
      {"/class_names", "[\"red\"]"},
      {"/class_names", "[1,2]"},
      {"/set", "null"},
      {"/test/mean", "null"},
      {"/test/std", "\"?\""}};
  for (const auto& [where, value] : cases) {
    ordered_json result = small_result();
    result[ordered_json::json_pointer(where)] = ordered_json::parse(value);
    put(folder / "a/result.json", result.dump());
    EXPECT_THAT(message_of<InvalidInput>([&] { read_run(folder / "a"); }),
                HasSubstr("result.json: not the result of a run"))
        << where << " = " << value;
  }
}

}  // namespace
}  // namespace dshn::report
