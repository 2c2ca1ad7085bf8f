#include "dshn/experiments/reproduction.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "dshn/base/error.hpp"
#include "dshn/experiments/render.hpp"
#include "dshn/io/atomic_file.hpp"
#include "support/message_of.hpp"
#include "support/temporary_folder.hpp"

namespace dshn::experiments {
namespace {

using dshn::test::message_of;
using nlohmann::ordered_json;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

std::vector<std::string> columns_of(const Plan& plan, const std::string& model) {
  std::vector<std::string> columns;
  for (const Cell& cell : plan.cells)
    if (cell.model == model) columns.push_back(cell.column);
  return columns;
}

std::set<std::string> data_of(const Plan& plan) {
  std::set<std::string> names;
  for (const Cell& cell : plan.cells) names.insert(cell.data);
  return names;
}

TEST(Reproductions, AreFoundByName) {
  EXPECT_EQ(find_reproduction("q-effect").name, "q-effect");
  try {
    find_reproduction("q-efect");
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("did you mean q-effect?"));
  }
}

TEST(Reproductions, HaveThePapersRowsAndColumns) {
  const Plan real = find_reproduction("real-world").plan({});
  EXPECT_THAT(data_of(real), SizeIs(12));
  EXPECT_THAT(real.cells, SizeIs(12 * 15));
  EXPECT_THAT(data_of(find_reproduction("synthetic").plan({})), SizeIs(3));
  EXPECT_THAT(columns_of(find_reproduction("depth").plan({}), "hgnn"),
              ElementsAre("1", "2", "3", "4", "5", "6", "7"));
  EXPECT_THAT(columns_of(find_reproduction("stalk").plan({}), "dshn"), SizeIs(8));
}

TEST(Reproductions, PutThePapersFiguresBesideOurs) {
  const TemporaryFolder folder;
  ReproductionRequest request;
  request.recipe.folder = folder.path();
  request.data = {"synthetic-io30"};
  request.models = {"dshn"};
  const Reproduction& table = find_reproduction("synthetic");

  const ordered_json document = document_of(table, request, feasible_plan(table, request), "dshn reproduce");

  EXPECT_THAT(table_markdown(document), HasSubstr("| DSHN | – (97.84 ± 1.86) |"));
}

TEST(Reproductions, RefuseToCompareWhatIsNotInTheTable) {
  const auto said = [](const std::string& table, const std::vector<std::string>& models) -> std::string {
    ReproductionRequest request;
    request.compare = models;
    try {
      feasible_plan(find_reproduction(table), effective(request));
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  };

  EXPECT_EQ(said("depth", {"dshn", "hgnn"}), "");
  EXPECT_THAT(said("depth", {"dshn-light"}),
              HasSubstr("dshn-light cannot be compared: the table depth has no"));
  EXPECT_THAT(said("statistics", {"dshn"}), HasSubstr("dshn cannot be compared"));
  EXPECT_THAT(said("depth", {"dshn", "dshn"}), HasSubstr("with itself"));
  EXPECT_THAT(said("depth", {"dshn", "hgnn", "dhgnn"}),
              HasSubstr("3 models to compare; expected two, or one"));
  EXPECT_THAT(said("depth", {"dsh"}), HasSubstr("dshn"));
}

TEST(Reproductions, PutOptionsThatAreAskedForIntoEveryCell) {
  ReproductionRequest request;
  request.set = {{"features", "stored"}};
  const Reproduction& depth = find_reproduction("depth");

  const Plan plan = plan_of(depth, effective(request));

  EXPECT_EQ(plan.cells[0].id(), "telegram/dshn@features=stored,layers=1");
  EXPECT_THAT(plan.notes, Contains("with features=stored in every cell"));
  EXPECT_EQ(document_name(depth, request), "depth@features=stored");
  request.set = {{"layers", "3"}};
  EXPECT_THAT(message_of<UsageError>([&] { plan_of(depth, request); }),
              HasSubstr("layers=3: depth sets this option itself"));
  EXPECT_THAT(message_of<UsageError>([&] { feasible_plan(find_reproduction("statistics"), request); }),
              HasSubstr("statistics trains nothing"));
  request.set = {{"layrs", "3"}};
  EXPECT_THAT(message_of<UsageError>([&] { effective(request); }), HasSubstr("did you mean 'layers'?"));
}

TEST(Reproductions, RefuseToChooseOnWhatTheyReport) {
  ReproductionRequest request;
  request.recipe.trials = 3;
  request.data = {"telegram"};
  EXPECT_THAT(message_of<UsageError>([&] { feasible_plan(find_reproduction("real-world"), request); }),
              HasSubstr("seeds 0-9"));
  request.recipe.seed = 100;
  EXPECT_EQ(feasible_plan(find_reproduction("real-world"), request).cells.size(), 15U);
  request.recipe.confirm = 4;
  EXPECT_THAT(message_of<UsageError>([&] { effective(request); }),
              HasSubstr("4 trials to confirm: there are only 3"));
}

TEST(Reproductions, AddUpHowLongTheirCellsTook) {
  const TemporaryFolder folder;
  ReproductionRequest request;
  request.recipe.folder = folder.path();
  request.recipe.jobs = 4;
  request.recipe.splits = 1;
  request.data = {"synthetic-io10"};
  request.models = {"components", "head-share"};
  const Reproduction& table = find_reproduction("synthetic");
  std::filesystem::create_directories(folder / "cells" / "synthetic-io10");
  for (const char* model : {"components", "head-share"}) {
    const Cell cell{.data = "synthetic-io10", .model = model};
    io::write_file(folder / "cells" / "synthetic-io10" / (std::string(model) + ".json"),
                   ordered_json{{"request", request_of(request.recipe, cell)},
                                {"test", {{"mean", 50.0}}},
                                {"seconds", 3000.0},
                                {"side_by_side", 4}}
                       .dump());
  }

  const ordered_json document = document_of(table, request, feasible_plan(table, request), "");

  EXPECT_EQ(document["runtime"]["cells"], 2);
  EXPECT_EQ(document["runtime"]["seconds"], 6000);
  EXPECT_EQ(document["runtime"]["shared_seconds"], 1500);
  EXPECT_THAT(page_markdown(document), HasSubstr("2 cells took 1 h 40 min, 25 min where those that were"));
}

TEST(Reproductions, NameTheSetsThatAreNotHere) {
  const Plan plan = feasible_plan(find_reproduction("hyperedges"), {});

  EXPECT_THAT(plan.missing, Contains(HasSubstr("molecular-2 is not here")));
}

TEST(Reproductions, LeaveOutWhatAModelRefusesAndSayWhy) {
  ReproductionRequest request;
  request.models = {"hgnn"};
  Reproduction refused;
  refused.plan = [](const ReproductionRequest&) {
    Plan plan;
    plan.cells = {{.data = "synthetic-generated-io10", .model = "hgnn", .set = {{"layers", "0"}}}};
    return plan;
  };

  const Plan plan = feasible_plan(refused, request);

  EXPECT_THAT(plan.cells, SizeIs(0));
  EXPECT_THAT(plan.left_out, ElementsAre(HasSubstr("hgnn@layers=0: ")));
}

TEST(Reproductions, BringModelsToEqualNumbersOfParameters) {
  const Plan plan = find_reproduction("equal-parameters").plan({});

  ASSERT_THAT(plan.cells, SizeIs(5));
  EXPECT_EQ(plan.cells[4].model, "dshn");
  EXPECT_EQ(plan.cells[4].set.at("hidden_width"), "88");  // 4 f^2 + 552 f + 484 = 80,036
}

TEST(Reproductions, SaySoWhenTheyAreQuick) {
  ReproductionRequest request;
  request.quick = true;
  const ReproductionRequest quick = effective(request);

  EXPECT_EQ(quick.recipe.splits, 2);
  EXPECT_EQ(quick.recipe.set.at("epochs"), "60");
  const Plan plan = find_reproduction("q-effect").plan(quick);
  EXPECT_THAT(plan.left_out, Contains(HasSubstr("cora")));
  const ordered_json document =
      document_of(find_reproduction("depth"), quick, {}, "dshn reproduce depth --quick");
  EXPECT_EQ(document["quick"], true);
  EXPECT_THAT(page_markdown(document), HasSubstr("**quick:** 2 splits of at most 60 epochs"));
}

}  // namespace
}  // namespace dshn::experiments
