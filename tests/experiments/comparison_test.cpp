#include "dshn/experiments/comparison.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "dshn/hypergraph/error.hpp"
#include "dshn/train/split_run.hpp"
#include "support/temporary_folder.hpp"

namespace dshn::experiments {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// Two quick models on generated data.
Comparison small_comparison(const std::filesystem::path& folder) {
  Comparison comparison;
  comparison.name = "small";
  comparison.data = {"synthetic-generated-io10"};
  comparison.models = {"hgnn", "components"};
  comparison.splits = 2;
  comparison.set = {{"epochs", "4"}};
  comparison.folder = folder;
  return comparison;
}

void make_all(const Comparison& comparison) {
  std::vector<std::string> absent;
  for (const CellName& cell : missing_cells(comparison, absent)) make_cell(comparison, cell, nullptr);
}

TEST(Comparison, MakesEveryCellOnce) {
  const TemporaryFolder folder;
  const Comparison comparison = small_comparison(folder.path());
  std::vector<std::string> absent;
  EXPECT_THAT(missing_cells(comparison, absent), SizeIs(2));

  make_all(comparison);

  EXPECT_THAT(missing_cells(comparison, absent), IsEmpty());
  EXPECT_THAT(absent, IsEmpty());
  const auto collected = collect(comparison, absent);
  EXPECT_EQ(collected["cells"].size(), 2U);
  EXPECT_GT(collected["cells"][1]["test"]["mean"].get<double>(), 90);
}

TEST(Comparison, MakesACellAgainWhenItIsAskedForOtherwise) {
  const TemporaryFolder folder;
  Comparison comparison = small_comparison(folder.path());
  make_all(comparison);
  std::vector<std::string> absent;

  comparison.seed = 1;

  EXPECT_THAT(missing_cells(comparison, absent), SizeIs(2));
}

TEST(Comparison, ChoosesAmongTrialsByValidation) {
  const TemporaryFolder folder;
  Comparison comparison = small_comparison(folder.path());
  comparison.models = {"hgnn"};
  comparison.trials = 3;
  comparison.search_splits = 1;

  make_all(comparison);
  const auto cell = collect(comparison, {})["cells"][0];

  EXPECT_TRUE(cell["chosen"].is_object());
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "runs" / "synthetic-generated-io10" / "hgnn"));
}

TEST(Comparison, GoesOnAfterAStop) {
  const TemporaryFolder folder;
  Comparison comparison = small_comparison(folder.path());
  comparison.models = {"hgnn"};
  int asked = 0;
  EXPECT_THROW(make_cell(comparison, {comparison.data[0], "hgnn"}, [&] { return ++asked == 6; }),
               train::Interrupted);

  make_all(comparison);

  const TemporaryFolder other;
  Comparison whole = comparison;
  whole.folder = other.path();
  make_all(whole);
  EXPECT_EQ(collect(comparison, {})["cells"][0]["test"], collect(whole, {})["cells"][0]["test"]);
}

TEST(Comparison, NamesTheSetsThatAreNotHere) {
  const TemporaryFolder folder;
  Comparison comparison = small_comparison(folder.path());
  comparison.data = {"molecular-2", "synthetic-generated-io10"};
  std::vector<std::string> absent;

  EXPECT_THAT(missing_cells(comparison, absent), SizeIs(2));

  EXPECT_THAT(absent, ElementsAre("molecular-2"));
}

TEST(Comparison, PutsThePapersFiguresBesideOurs) {
  const TemporaryFolder folder;
  Comparison comparison = small_comparison(folder.path());
  comparison.data = {"synthetic-io30"};
  comparison.models = {"dshn"};

  EXPECT_THAT(markdown(collect(comparison, {})), HasSubstr("| DSHN | – (97.84 ± 1.86) |"));
}

TEST(NamedComparison, HasThePapersRowsAndColumns) {
  EXPECT_THAT(named_comparison("real-world").data, SizeIs(12));
  EXPECT_THAT(named_comparison("real-world").models, SizeIs(15));
  EXPECT_THAT(named_comparison("synthetic").data, SizeIs(3));
  EXPECT_THROW(named_comparison("real"), UsageError);
}

}  // namespace
}  // namespace dshn::experiments
