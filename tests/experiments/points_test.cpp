#include "dshn/experiments/points.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "dshn/io/atomic_file.hpp"
#include "dshn/train/split_run.hpp"
#include "support/temporary_folder.hpp"

namespace dshn::experiments {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

/// Few, short trainings.
Making small_making(const std::filesystem::path& folder) {
  Making making;
  making.splits = 2;
  making.set = {{"epochs", "4"}};
  making.folder = folder;
  return making;
}

Point generated_point(const std::string& model, const Assignments& set = {}) {
  return {.data = "synthetic-generated-io10", .model = model, .set = set};
}

void make_all_points(const Making& making, const std::vector<Point>& points) {
  for (const Point& point : missing_points(making, points)) make_point(making, point, nullptr);
}

TEST(Points, AreMadeOnce) {
  const TemporaryFolder folder;
  const Making making = small_making(folder.path());
  const std::vector<Point> points{generated_point("hgnn"), generated_point("components")};
  EXPECT_THAT(missing_points(making, points), SizeIs(2));

  make_all_points(making, points);

  EXPECT_THAT(missing_points(making, points), IsEmpty());
  EXPECT_GT((*stored_point(making, points[1]))["test"]["mean"].get<double>(), 90);
}

TEST(Points, AreMadeAgainWhenAskedForOtherwise) {
  const TemporaryFolder folder;
  Making making = small_making(folder.path());
  const std::vector<Point> points{generated_point("components")};
  make_all_points(making, points);

  making.seed = 1;

  EXPECT_THAT(missing_points(making, points), SizeIs(1));
}

TEST(Points, AreMadeAgainWhenTheirPresetChanges) {
  const TemporaryFolder folder;
  Making making = small_making(folder / "out");
  making.presets = folder / "presets";
  std::filesystem::create_directories(making.presets / "synthetic-generated-io10");
  const std::filesystem::path preset = making.presets / "synthetic-generated-io10" / "hgnn.toml";
  io::write_file(preset, "[set]\nhidden_width = \"8\"\n");
  const std::vector<Point> points{generated_point("hgnn")};
  make_all_points(making, points);
  EXPECT_THAT(missing_points(making, points), IsEmpty());

  io::write_file(preset, "[set]\nhidden_width = \"16\"\n");

  EXPECT_THAT(missing_points(making, points), SizeIs(1));
}

TEST(Points, WithOptionsOfTheirOwnStandBesideEachOther) {
  const TemporaryFolder folder;
  const Making making = small_making(folder.path());
  const Point narrow = generated_point("hgnn", {{"hidden_width", "4"}});
  const Point wide = generated_point("hgnn", {{"hidden_width", "8"}});

  make_all_points(making, {narrow, wide});

  EXPECT_LT((*stored_point(making, narrow))["parameters"], (*stored_point(making, wide))["parameters"]);
  EXPECT_EQ(narrow.id(), "synthetic-generated-io10/hgnn@hidden_width=4");
}

TEST(Points, ChooseAmongTrialsByValidation) {
  const TemporaryFolder folder;
  Making making = small_making(folder.path());
  making.trials = 3;
  making.search_splits = 1;
  Point point = generated_point("hgnn");
  point.search = true;

  make_all_points(making, {point});

  EXPECT_TRUE((*stored_point(making, point))["chosen"].is_object());
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "runs" / point.id()));
}

TEST(Points, GoOnAfterAStop) {
  const TemporaryFolder folder;
  const Making making = small_making(folder.path());
  const Point point = generated_point("hgnn");
  int asked = 0;
  EXPECT_THROW(make_point(making, point, [&] { return ++asked == 6; }), train::Interrupted);
  EXPECT_THAT(missing_points(making, {point}), SizeIs(1));

  make_all_points(making, {point});

  const TemporaryFolder other;
  const Making whole = small_making(other.path());
  make_all_points(whole, {point});
  EXPECT_EQ((*stored_point(making, point))["splits"], (*stored_point(whole, point))["splits"]);
}

TEST(Points, DoNotGoOnWithWhatWasAskedForOtherwise) {
  const TemporaryFolder folder;
  Making making = small_making(folder.path());
  const Point point = generated_point("hgnn");
  int asked = 0;
  EXPECT_THROW(make_point(making, point, [&] { return ++asked == 2; }), train::Interrupted);

  making.seed = 3;
  make_all_points(making, {point});

  const TemporaryFolder other;
  Making whole = small_making(other.path());
  whole.seed = 3;
  make_all_points(whole, {point});
  EXPECT_EQ((*stored_point(making, point))["splits"], (*stored_point(whole, point))["splits"]);
}

TEST(Points, RememberWhereLearnedChargesEnd) {
  const TemporaryFolder folder;
  const Making making = small_making(folder.path());
  const Point point =
      generated_point("dshn", {{"q", "learn-per-layer"}, {"layers", "2"}, {"hidden_width", "4"}, {"d", "1"}});

  make_all_points(making, {point});

  const auto charges = (*stored_point(making, point))["charges"];
  ASSERT_EQ(charges.size(), 2U);     // splits
  ASSERT_EQ(charges[0].size(), 2U);  // layers
  EXPECT_NE(charges[0][0].get<double>(), 0.25);
}

TEST(Points, ThatFailAreNamedAndTriedAgain) {
  const TemporaryFolder folder;
  const Making making = small_making(folder.path());
  const Point point = generated_point("dshn", {{"hyperedge_features", "given"}});  // there are none

  make_all_points(making, {point});

  EXPECT_THAT((*stored_point(making, point))["failure"].get<std::string>(), testing::HasSubstr("edge_x"));
  EXPECT_THAT(missing_points(making, {point}), SizeIs(1));
}

}  // namespace
}  // namespace dshn::experiments
