#include "dshn/report/results.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dshn/base/error.hpp"
#include "report/files.hpp"

namespace dshn::report {
namespace {

using nlohmann::ordered_json;
using testing::HasSubstr;

TEST(Results, CellsAreReadAndOtherFilesRefused) {
  const TemporaryFolder folder;
  put(folder / "t.json", R"({"table": "synthetic", "cells": [
        {"data": "texas", "model": "dshn", "test": {"mean": 80.5, "std": 1}, "paper": "out of memory"},
        {"data": "cora", "model": "dshn", "paper": null}]})");
  put(folder / "list.json", "[]");
  put(folder / "cell.json", R"({"cells": [{}]})");
  put(folder / "broken.json", "{");

  const ordered_json table = shown_results(read_results(folder / "t.json"));

  EXPECT_EQ(table["table"], "synthetic");
  EXPECT_EQ(table["cells"][0]["test"]["mean"], 80.5);
  EXPECT_EQ(table["cells"][0]["paper"], "out of memory");
  EXPECT_TRUE(table["cells"][1]["test"].is_null());
  EXPECT_TRUE(table["cells"][1]["paper"].is_null());
  EXPECT_TRUE(table["comparisons"].empty());
  EXPECT_THAT(message_of<UsageError>([&] { read_results(folder / "none.json"); }), HasSubstr("no such file"));
  EXPECT_THAT(message_of<InvalidInput>([&] { read_results(folder / "list.json"); }), HasSubstr("cells"));
  EXPECT_THAT(message_of<InvalidInput>([&] { read_results(folder / "cell.json"); }), HasSubstr("data"));
  EXPECT_THAT(message_of<InvalidInput>([&] { read_results(folder / "broken.json"); }), HasSubstr("byte 2"));
}

TEST(Results, IntervalsDifferencesAndComparisonsAreShown) {
  const TemporaryFolder folder;
  put(folder / "t.json", R"({"title": "A table", "quick": true, "cells": [
        {"data": "cora", "model": "dshn", "row": "DSHN", "column": "cora", "splits": [1, 2],
         "test": {"mean": 88, "std": 1, "n": 10, "interval": [87, 89]},
         "paper": {"mean": 87, "std": 2},
         "difference": {"mean": 1, "interval": [-1, 3], "word": "not distinguishable"}}],
      "comparisons": {"rows": [
        {"data": "cora", "column": "cora", "title": "DSHN - HGNN", "mean": 2.5, "std": 1, "n": 10,
         "interval": [1, 4], "p": 0.001, "p_holm": 0.002, "word": "above"},
        {"data": "cora"}]}})");

  const ordered_json table = shown_results(read_results(folder / "t.json"));

  const ordered_json& cell = table["cells"][0];
  EXPECT_EQ(cell["test"]["interval"], ordered_json({87, 89}));
  EXPECT_EQ(cell["difference"]["word"], "not distinguishable");
  EXPECT_FALSE(cell.contains("splits")) << "the page draws no splits";
  ASSERT_EQ(table["comparisons"].size(), 1U) << "one of the two rows says nothing";
  EXPECT_EQ(table["comparisons"][0]["p_holm"], 0.002);
  EXPECT_EQ(table["title"], "A table");
  EXPECT_EQ(table["table"], "t") << "named by its file";
  EXPECT_TRUE(table["listing"].is_null());
}

TEST(Results, ListingsAreTablesToo) {
  const TemporaryFolder folder;
  put(folder / "cost.json", R"({"columns": [{"key": "data", "title": "data", "text": true},
                                            {"key": "ms", "title": "step, ms", "decimals": 1}],
                                "rows": [{"data": "cora", "ms": 12.25, "other": 1}, {"data": "texas"}]})");

  const ordered_json listing = shown_results(read_results(folder / "cost.json"))["listing"];

  EXPECT_EQ(listing["columns"][1]["title"], "step, ms");
  EXPECT_EQ(listing["columns"][1]["decimals"], 1);
  EXPECT_EQ(listing["rows"], ordered_json::parse(R"([["cora", 12.25], ["texas", null]])"));
}

}  // namespace
}  // namespace dshn::report
