#include "dshn/experiments/render.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "dshn/base/error.hpp"
#include "dshn/io/atomic_file.hpp"
#include "support/temporary_folder.hpp"

namespace dshn::experiments {
namespace {

using nlohmann::ordered_json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

ordered_json small_document() {
  return {
      {"name", "small"},
      {"title", "Small"},
      {"columns", {{{"key", "data"}, {"title", "data"}, {"text", true}}, {{"key", "n"}, {"title", "nodes"}}}},
      {"rows", {{{"data", "a"}, {"n", 1234567}}, {{"data", "b"}}}},
      {"missing", {"b is not here"}}};
}

TEST(Rendering, IsAFunctionOfTheDocument) {
  const TemporaryFolder folder;
  io::write_file(folder / "small.json", small_document().dump());

  EXPECT_THAT(render_folder(folder.path()), ElementsAre("small"));
  const std::string once = with_results(
      "before\n<!-- result small -->\nold\n<!-- end of result small -->\nafter\n", folder.path());
  render_folder(folder.path());
  const std::string twice = with_results(once, folder.path());

  EXPECT_EQ(once, twice);
  EXPECT_THAT(once, HasSubstr("before\n<!-- result small -->\n## Small\n"));
  EXPECT_THAT(once, HasSubstr("| a | 1,234,567 |\n| b | – |\n"));
  EXPECT_THAT(once, HasSubstr("- b is not here\n<!-- end of result small -->\nafter\n"));
}

/// Cells 0.00, 1.00, ... in rows and columns that are named by their number.
ordered_json document_of_size(int rows, int columns) {
  ordered_json cells = ordered_json::array();
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column)
      cells.push_back({{"row", "row " + std::to_string(row)},
                       {"column", "column " + std::to_string(column)},
                       {"test", {{"mean", row * columns + column}}}});
  return {{"cells", cells}};
}

std::size_t longest_line(const std::string& text) {
  std::size_t longest = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) longest = std::max(longest, line.size());
  return longest;
}

TEST(Rendering, ExchangesRowsAndColumnsWhereOnlyThatFits) {
  EXPECT_EQ(table_markdown(document_of_size(1, 2)),
            "| model | column 0 | column 1 |\n| --- | ---: | ---: |\n| row 0 | 0.00 | 1.00 |\n");
  EXPECT_THAT(table_markdown(document_of_size(2, 20)),
              StartsWith("|  | row 0 | row 1 |\n| --- | ---: | ---: |\n| column 0 | 0.00 | 20.00 |\n"));
}

TEST(Rendering, CutsATableThatIsTooWideBothWays) {
  const std::string table = table_markdown(document_of_size(20, 20));

  EXPECT_LE(longest_line(table), 120U);
  EXPECT_THAT(table, HasSubstr("\n\n| model | column 10 | column 11 |"));
  EXPECT_THAT(table, HasSubstr("| row 19 | 395.00 | 396.00 | 397.00 | 398.00 | 399.00 |\n"));
}

TEST(Rendering, ShowsIntervalsAndHowEachMeanStandsToThePapers) {
  ordered_json document = document_of_size(1, 2);
  document["title"] = "Small";
  document["cells"][0].update(
      {{"test", {{"mean", 90.0}, {"std", 1.5}, {"n", 100}, {"interval", {88.5, 91.5}}}},
       {"paper", {{"mean", 88.65}, {"std", 5.54}}},
       {"difference",
        {{"mean", 1.35},
         {"sign", "mean above"},
         {"interval", {-6.5, 9.2}},
         {"word", "not distinguishable"}}}});

  const std::string page = page_markdown(document);

  EXPECT_THAT(page, HasSubstr("| row 0 | 90.00 ± 1.50 (88.65 ± 5.54) | 1.00 |\n"));
  EXPECT_THAT(page, HasSubstr("with n - 1 below the line"));
  EXPECT_THAT(page, HasSubstr("| row 0 | column 0 | 100 | 90.00 | [88.50, 91.50] | 88.65 | "
                              "+1.35 [-6.50, 9.20] | mean above | not distinguishable |\n"));
  EXPECT_THAT(page, HasSubstr("corrected resampled t of Nadeau and Bengio"));
  EXPECT_THAT(page, HasSubstr("Of 1 cells beside the paper's the mean is above in 1 and below in 0; by the "
                              "intervals 0 are above,\n1 not distinguishable and 0 below.\n"));
  EXPECT_LE(longest_line(page), 120U);
}

TEST(Rendering, WrapsLongNotes) {
  ordered_json document = small_document();
  std::string words = "word";
  for (int i = 0; i < 50; ++i) words += " word";
  document["notes"] = {"begin" + std::string(200, ' ') + "end", words};

  const std::string page = page_markdown(document);

  EXPECT_LE(longest_line(page), 120U);
  EXPECT_THAT(page, HasSubstr("- begin end\n- word word"));
  EXPECT_THAT(page, HasSubstr("word\n  word word"));
}

TEST(Rendering, OfTheStoredResultsIsWhatTheirPageHolds) {
  const std::filesystem::path docs = std::filesystem::path(DSHN_SOURCE_DIR) / "docs";
  std::ifstream file(docs / "results-tables.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};

  EXPECT_THAT(page, HasSubstr("<!-- result statistics -->"));
  EXPECT_TRUE(with_results(page, docs / "results") == page)
      << "dshn reproduce --render docs/results --into docs/results-tables.md brings it up to date";
}

TEST(Rendering, RefusesWhatIsNoResult) {
  const TemporaryFolder folder;
  io::write_file(folder / "broken.json", "{");

  EXPECT_THROW(render_folder(folder.path()), InvalidInput);
  EXPECT_THROW(with_results("<!-- result x -->\n", folder.path()), InvalidInput);
}

}  // namespace
}  // namespace dshn::experiments
