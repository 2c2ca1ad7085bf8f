#include "dshn/experiments/cells.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "dshn/base/error.hpp"
#include "dshn/hypergraph/generators.hpp"
#include "dshn/io/atomic_file.hpp"
#include "dshn/io/load.hpp"
#include "dshn/train/split_run.hpp"
#include "support/temporary_folder.hpp"

namespace dshn::experiments {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

/// Few, short trainings.
Recipe small_recipe(const std::filesystem::path& folder) {
  Recipe recipe;
  recipe.splits = 2;
  recipe.set = {{"epochs", "4"}};
  recipe.folder = folder;
  return recipe;
}

Cell generated_cell(const std::string& model, const Assignments& set = {}) {
  return {.data = "synthetic-generated-io10", .model = model, .set = set};
}

void make_all_cells(const Recipe& recipe, const std::vector<Cell>& cells) {
  for (const Cell& cell : missing_cells(recipe, cells)) make_cell(recipe, cell, nullptr);
}

TEST(Cells, AreMadeOnce) {
  const TemporaryFolder folder;
  const Recipe recipe = small_recipe(folder.path());
  const std::vector<Cell> cells{generated_cell("hgnn"), generated_cell("components")};
  EXPECT_THAT(missing_cells(recipe, cells), SizeIs(2));

  make_all_cells(recipe, cells);

  EXPECT_THAT(missing_cells(recipe, cells), IsEmpty());
  EXPECT_GT((*stored_cell(recipe, cells[1]))["test"]["mean"].get<double>(), 90);
}

TEST(Cells, AreMadeAgainWhenAskedForOtherwise) {
  const TemporaryFolder folder;
  Recipe recipe = small_recipe(folder.path());
  const std::vector<Cell> cells{generated_cell("components")};
  make_all_cells(recipe, cells);

  recipe.seed = 1;

  EXPECT_THAT(missing_cells(recipe, cells), SizeIs(1));
}

TEST(Cells, AreMadeAgainWhenTheirPresetChanges) {
  const TemporaryFolder folder;
  Recipe recipe = small_recipe(folder / "out");
  recipe.presets = folder / "presets";
  std::filesystem::create_directories(recipe.presets / "synthetic-generated-io10");
  const std::filesystem::path preset = recipe.presets / "synthetic-generated-io10" / "hgnn.toml";
  io::write_file(preset, "[set]\nhidden_width = \"8\"\n");
  const std::vector<Cell> cells{generated_cell("hgnn")};
  make_all_cells(recipe, cells);
  EXPECT_THAT(missing_cells(recipe, cells), IsEmpty());

  io::write_file(preset, "[set]\nhidden_width = \"16\"\n");

  EXPECT_THAT(missing_cells(recipe, cells), SizeIs(1));
}

TEST(Cells, WithOptionsOfTheirOwnStandBesideEachOther) {
  const TemporaryFolder folder;
  const Recipe recipe = small_recipe(folder.path());
  const Cell narrow = generated_cell("hgnn", {{"hidden_width", "4"}});
  const Cell wide = generated_cell("hgnn", {{"hidden_width", "8"}});

  make_all_cells(recipe, {narrow, wide});

  EXPECT_LT((*stored_cell(recipe, narrow))["parameters"], (*stored_cell(recipe, wide))["parameters"]);
  EXPECT_EQ(narrow.id(), "synthetic-generated-io10/hgnn@hidden_width=4");
}

TEST(Cells, GoOnAfterAStop) {
  const TemporaryFolder folder;
  const Recipe recipe = small_recipe(folder.path());
  const Cell cell = generated_cell("hgnn");
  int asked = 0;
  EXPECT_THROW(make_cell(recipe, cell, [&] { return ++asked == 6; }), train::Interrupted);
  EXPECT_THAT(missing_cells(recipe, {cell}), SizeIs(1));

  make_all_cells(recipe, {cell});

  const TemporaryFolder other;
  const Recipe whole = small_recipe(other.path());
  make_all_cells(whole, {cell});
  EXPECT_EQ((*stored_cell(recipe, cell))["splits"], (*stored_cell(whole, cell))["splits"]);
}

TEST(Cells, DoNotGoOnWithWhatWasAskedForOtherwise) {
  const TemporaryFolder folder;
  Recipe recipe = small_recipe(folder.path());
  const Cell cell = generated_cell("hgnn");
  int asked = 0;
  EXPECT_THROW(make_cell(recipe, cell, [&] { return ++asked == 2; }), train::Interrupted);

  recipe.seed = 3;
  make_all_cells(recipe, {cell});

  const TemporaryFolder other;
  Recipe whole = small_recipe(other.path());
  whole.seed = 3;
  make_all_cells(whole, {cell});
  EXPECT_EQ((*stored_cell(recipe, cell))["splits"], (*stored_cell(whole, cell))["splits"]);
}

TEST(Cells, OfSeveralSeedsKeepEverySplitOfEachSeed) {
  const TemporaryFolder folder;
  Recipe recipe = small_recipe(folder / "three");
  recipe.seed = 100;
  recipe.seeds = 3;
  const Cell cell = generated_cell("hgnn");

  make_all_cells(recipe, {cell});

  const auto stored = *stored_cell(recipe, cell);
  ASSERT_THAT(stored["splits"], SizeIs(6));
  EXPECT_EQ(stored["test"]["n"], 6);
  EXPECT_EQ(stored["items"]["train"], 250);  // of 500 nodes half, and a quarter
  EXPECT_EQ(stored["items"]["test"], 125);
  EXPECT_TRUE(stored["test"].contains("interval"));
  Recipe alone = small_recipe(folder / "alone");
  alone.seed = 101;
  make_all_cells(alone, {cell});
  const auto second = (*stored_cell(alone, cell))["splits"];
  EXPECT_EQ(second[0]["seed"], 101);
  EXPECT_EQ(stored["splits"][2], second[0]);
  EXPECT_EQ(stored["splits"][3], second[1]);
}

TEST(Cells, OfOtherSeedsStandBesideEachOther) {
  const TemporaryFolder folder;
  const Cell cell = generated_cell("components");
  Recipe recipe = small_recipe(folder.path());
  make_all_cells(recipe, {cell});
  Recipe others = recipe;
  others.seed = 100;
  others.seeds = 2;
  EXPECT_THAT(missing_cells(others, {cell}), SizeIs(1));

  make_all_cells(others, {cell});

  EXPECT_THAT(missing_cells(recipe, {cell}), IsEmpty());
  EXPECT_THAT(missing_cells(others, {cell}), IsEmpty());
  EXPECT_TRUE(std::filesystem::exists(folder / "cells" / "synthetic-generated-io10" /
                                      "components@seeds=100-101.json"));
  others.seeds = 3;
  EXPECT_THAT(missing_cells(others, {cell}), SizeIs(1));
}

TEST(Cells, OfSeveralSeedsGoOnAfterAStop) {
  const TemporaryFolder folder;
  const TemporaryFolder other;
  const Cell cell = generated_cell("hgnn");
  Recipe recipe = small_recipe(folder.path());
  recipe.seeds = 2;
  int asked = 0;
  EXPECT_THROW(make_cell(recipe, cell, [&] { return ++asked == 10; }), train::Interrupted);

  int asked_again = 0;
  make_cell(recipe, cell, [&] { return ++asked_again > 1000; });

  Recipe whole = recipe;
  whole.folder = other.path();
  make_all_cells(whole, {cell});
  EXPECT_EQ((*stored_cell(recipe, cell))["splits"], (*stored_cell(whole, cell))["splits"]);
  EXPECT_LT(asked_again, 16 - 4) << "the first seed was trained again";  // four trainings of four epochs
}

TEST(Cells, OfVersionOneAreRead) {
  const TemporaryFolder folder;
  Recipe recipe = small_recipe(folder.path());
  recipe.seed = 3;
  std::filesystem::create_directories(folder / "cells" / "synthetic-generated-io10");
  io::write_file(folder / "cells" / "synthetic-generated-io10" / "hgnn.json",
                 nlohmann::ordered_json{{"request", request_of(recipe, generated_cell("hgnn"))},
                                        {"test", {{"mean", 50.0}, {"std", 1.0}}},
                                        {"splits", {49.0, 51.0}}}
                     .dump());

  EXPECT_THAT(missing_cells(recipe, {generated_cell("hgnn")}), IsEmpty());
  EXPECT_DOUBLE_EQ((*stored_cell(recipe, generated_cell("hgnn")))["test"]["std"], std::sqrt(2.0));
  recipe.seeds = 2;
  EXPECT_FALSE(stored_cell(recipe, generated_cell("hgnn"))) << "it is of one seed";
  recipe.as_stored = true;
  EXPECT_TRUE(stored_cell(recipe, generated_cell("hgnn"))) << "however it was made";
}

TEST(Cells, RememberWhereLearnedChargesEnd) {
  const TemporaryFolder folder;
  const Recipe recipe = small_recipe(folder.path());
  const Cell cell =
      generated_cell("dshn", {{"q", "learn-per-layer"}, {"layers", "2"}, {"hidden_width", "4"}, {"d", "1"}});

  make_all_cells(recipe, {cell});

  const auto charges = (*stored_cell(recipe, cell))["charges"];
  ASSERT_EQ(charges.size(), 2U);     // splits
  ASSERT_EQ(charges[0].size(), 2U);  // layers
  EXPECT_NE(charges[0][0].get<double>(), 0.25);
}

TEST(Cells, RememberHowFarChargesOfHyperedgesLieApart) {
  const TemporaryFolder folder;
  const Recipe recipe = small_recipe(folder.path());
  const Cell cell = generated_cell(
      "dshn", {{"q", "learn-per-hyperedge"}, {"layers", "1"}, {"hidden_width", "4"}, {"d", "1"}});

  make_all_cells(recipe, {cell});

  const auto stored = *stored_cell(recipe, cell);
  ASSERT_EQ(stored["charges"].size(), 2U);
  ASSERT_EQ(stored["charge_spread"].size(), 2U);
  EXPECT_NEAR(stored["charges"][0][0].get<double>(), 0.25, 0.2);
  EXPECT_NE(stored["charges"][0], stored["charges"][1]);
  EXPECT_GT(stored["charge_spread"][0].get<double>(), 1e-6);
}

TEST(Cells, KeepTheSecondsThatTheyTookOverAllCalls) {
  const TemporaryFolder folder;
  const Recipe recipe = small_recipe(folder.path());
  const Cell cell = generated_cell("hgnn");
  int asked = 0;
  EXPECT_THROW(make_cell(recipe, cell, [&] { return ++asked == 6; }), train::Interrupted);
  const std::filesystem::path kept = folder / "runs" / "synthetic-generated-io10" / "hgnn" / "seconds";
  ASSERT_TRUE(std::filesystem::exists(kept));
  io::write_file(kept, "1000.0\n");  // as if it had taken long

  make_all_cells(recipe, {cell});

  EXPECT_GT((*stored_cell(recipe, cell))["seconds"].get<double>(), 1000);
  EXPECT_FALSE(std::filesystem::exists(kept));
}

/// A data set named "mine" in a folder of such.
void save_mine(const std::filesystem::path& folder, std::int64_t shift) {
  const LabelledHypergraph made = synthetic_benchmark({.nodes = 60, .intra = 4, .inter = 4});
  std::vector<std::int64_t> labels;
  for (const Index label : made.labels) labels.push_back((label + shift) % 5);
  io::save({.hypergraph = made.hypergraph, .arrays = {{"y", io::Array::of(labels, {60})}}}, folder / "mine");
}

/// Where data sets are looked for, as long as it lives.
class DataFolder {
 public:
  explicit DataFolder(const std::filesystem::path& folder) {
    if (const char* const given = std::getenv("DSHN_DATA_DIR")) before_ = given;
    setenv("DSHN_DATA_DIR", folder.c_str(), /*overwrite=*/1);
  }
  ~DataFolder() {
    before_ ? setenv("DSHN_DATA_DIR", before_->c_str(), /*overwrite=*/1) : unsetenv("DSHN_DATA_DIR");
  }
  DataFolder(const DataFolder&) = delete;
  DataFolder& operator=(const DataFolder&) = delete;

 private:
  std::optional<std::string> before_;
};

TEST(Cells, OfDataThatHaveChangedAreRefusedByName) {
  const TemporaryFolder data;
  const TemporaryFolder folder;
  const DataFolder here(data.path());
  save_mine(data.path(), 0);
  const Cell cell{.data = "mine", .model = "components"};
  make_all_cells(small_recipe(folder.path()), {cell});
  EXPECT_THAT(missing_cells(small_recipe(folder.path()), {cell}), IsEmpty());

  std::filesystem::remove_all(data / "mine");
  save_mine(data.path(), 1);

  EXPECT_THAT([&] { missing_cells(small_recipe(folder.path()), {cell}); },
              testing::ThrowsMessage<InvalidInput>(
                  testing::HasSubstr("the labels have changed since the cell mine/components was made")));
}

TEST(Cells, ThatFailAreNamedAndTriedAgain) {
  const TemporaryFolder folder;
  const Recipe recipe = small_recipe(folder.path());
  const Cell cell = generated_cell("dshn", {{"hyperedge_features", "given"}});  // there are none

  make_all_cells(recipe, {cell});

  EXPECT_THAT((*stored_cell(recipe, cell))["failure"].get<std::string>(), testing::HasSubstr("edge_x"));
  EXPECT_THAT(missing_cells(recipe, {cell}), SizeIs(1));
}

}  // namespace
}  // namespace dshn::experiments
