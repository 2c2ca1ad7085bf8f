#include "experiments/comparison.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "dshn/experiments/render.hpp"
#include "dshn/models/registry.hpp"

namespace dshn::experiments {
namespace {

using nlohmann::ordered_json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// Figures of two splits each of the seeds 0 and 1; half as many test as training items.
ordered_json cell(const std::string& model, const std::string& data, const std::vector<double>& tests) {
  ordered_json made{
      {"row", models::find_model(model).title}, {"column", data}, {"data", data}, {"model", model}};
  made["items"] = {{"train", 100}, {"test", 50}};
  for (std::size_t i = 0; i < tests.size(); ++i)
    made["splits"].push_back({{"seed", i / 2}, {"split", i % 2}, {"test", tests[i]}});
  return made;
}

ordered_json document(const std::vector<ordered_json>& cells) {
  return {{"title", "Small"}, {"cells", cells}, {"left_out", ordered_json::array()}};
}

// Differences 2, 4, 0, 8: mean 3.5, s^2 = 35 / 3, variance of the mean 35 / 3 (1 / 4 + 1 / 2) = 8.75. With
// three degrees of freedom p = 1 - 2 / pi (atan u + u / (1 + u^2)), u = t / sqrt 3. On the other set the
// differences are 10, 11, 9, 10: t = 10 / sqrt(0.5).
TEST(Comparison, IsThePairedTestWithBothCorrections) {
  ordered_json made =
      document({cell("dshn", "cora", {80, 84, 82, 90}), cell("hgnn", "cora", {78, 80, 82, 82}),
                cell("dshn", "texas", {60, 61, 59, 60}), cell("hgnn", "texas", {50, 50, 50, 50})});

  add_comparisons(made, {"dshn", "hgnn"});

  const ordered_json rows = made["comparisons"]["rows"];
  ASSERT_THAT(rows, SizeIs(2));
  EXPECT_EQ(rows[0]["data"], "cora");
  EXPECT_EQ(rows[0]["n"], 4);
  EXPECT_DOUBLE_EQ(rows[0]["mean"], 3.5);
  EXPECT_NEAR(rows[0]["interval"][0], 3.5 - 3.182446 * std::sqrt(8.75), 1e-5);
  EXPECT_NEAR(rows[0]["interval"][1], 3.5 + 3.182446 * std::sqrt(8.75), 1e-5);
  EXPECT_NEAR(rows[0]["p"], 0.3219462208, 1e-9);
  EXPECT_NEAR(rows[1]["p"], 0.0007658844, 1e-9);
  EXPECT_NEAR(rows[0]["p_holm"], 0.3219462208, 1e-9) << "the larger of two";
  EXPECT_NEAR(rows[1]["p_holm"], 2 * 0.0007658844, 1e-9);
  EXPECT_EQ(rows[0]["word"], "not distinguishable");
  EXPECT_EQ(rows[1]["word"], "above");
  EXPECT_THAT(made["left_out"], IsEmpty());
  EXPECT_THAT(page_markdown(made),
              HasSubstr("| DSHN - HGNN | texas | 4 | +10.00 | [7.75, 12.25] | 0.0008 | 0.0015 | above |\n"));
}

TEST(Comparison, OfOneModelIsWithEveryOther) {
  ordered_json made = document({cell("hgnn", "cora", {80, 84}), cell("dshn", "cora", {78, 80}),
                                cell("dhgnn", "cora", {70, 71}), cell("dhgnn", "texas", {70, 71})});

  add_comparisons(made, {"dshn"});

  std::vector<std::string> against;
  for (const ordered_json& row : made["comparisons"]["rows"]) against.push_back(row["against"]);
  EXPECT_THAT(against, ElementsAre("hgnn", "dhgnn"));
}

TEST(Comparison, OfRowsIsByTheirTitles) {
  std::vector<ordered_json> cells;
  for (const char* data : {"cora", "texas"}) {
    for (const auto& [row, first] :
         {std::pair{"with", 80.0}, std::pair{"without", 70.0}, std::pair{"other", 0.0}}) {
      cells.push_back(cell("dshn", data, {first, first + 1, first + 2, first + 4}));
      cells.back()["row"] = row;
    }
  }
  ordered_json made = document(cells);

  add_row_comparisons(made, {{"with", "without"}});

  const ordered_json rows = made["comparisons"]["rows"];
  ASSERT_THAT(rows, SizeIs(2));
  for (const ordered_json& row : rows) {
    EXPECT_EQ(row["title"], "with - without");
    EXPECT_DOUBLE_EQ(row["mean"], 10);
  }
}

TEST(Comparison, NamesWhatCannotBeCompared) {
  ordered_json empty = cell("hgnn", "cora", {});
  ordered_json made = document({cell("dshn", "cora", {78, 80}), empty, cell("dhgnn", "cora", {70, 71, 72}),
                                cell("dshn", "texas", {1}), cell("hgnn", "texas", {2})});

  add_comparisons(made, {"dshn"});

  EXPECT_THAT(made["comparisons"]["rows"], IsEmpty());
  EXPECT_THAT(made["left_out"],
              ElementsAre("DSHN - HGNN, cora: there are no figures of HGNN",
                          "DSHN - DHGNN, cora: they were not trained on the same splits of the same seeds",
                          "DSHN - HGNN, texas: one split tells nothing of chance"));
}

}  // namespace
}  // namespace dshn::experiments
