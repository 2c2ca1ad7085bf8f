#include "dshn/experiments/picture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>

#include "dshn/base/error.hpp"
#include "dshn/io/atomic_file.hpp"
#include "support/temporary_folder.hpp"

namespace dshn::experiments {
namespace {

using nlohmann::ordered_json;
using testing::HasSubstr;
using testing::Not;

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

/// What is wrong with a document's tags, attributes and references; empty: it is well formed.
std::string xml_fault(const std::string& text) {
  static const std::regex tag(R"re(<(/?)([a-z]+)((?: [a-zA-Z0-9:-]+="[^"<&]*")*)(/?)>)re");
  std::vector<std::string> open;
  std::size_t at = 0;
  for (std::sregex_iterator it(text.begin(), text.end(), tag), end; it != end; ++it) {
    const std::string between = text.substr(at, it->position() - at);
    if (between.find_first_of("<>") != std::string::npos) return "a tag is broken: " + between;
    if (std::regex_search(between, std::regex("&(?!amp;|lt;|gt;)"))) return "a bare &: " + between;
    at = it->position() + it->length();
    if ((*it)[1] == "/") {
      if (open.empty() || open.back() != (*it)[2]) return "closed, but not open: " + it->str();
      open.pop_back();
    } else if ((*it)[4] != "/") {
      if (open.empty() && it->position() > 0) return "a second root: " + it->str();
      open.push_back((*it)[2]);
    }
  }
  if (text.substr(at) != "\n") return "text behind the root";
  return open.empty() ? "" : "not closed: " + open.back();
}

TEST(XmlFault, IsFound) {
  EXPECT_EQ(xml_fault("<a><b c=\"d\"/>x &amp; y</a>\n"), "");
  for (const char* broken : {"<a><b></a>\n", "<a>x & y</a>\n", "<a b=c></a>\n", "<a>\n", "<a></a><b></b>\n"})
    EXPECT_NE(xml_fault(broken), "") << broken;
}

const std::vector<Difference> kDifferences{
    {"telegram", "dshn", 3.25, std::pair(-1.5, 8.0)}, {"telegram", "dshn-light", -4.8}, {"a<b&c", "dshn", 0}};

TEST(Picture, HasAMarkForEachDifferenceAndALineForEachInterval) {
  const std::string picture = difference_picture(kDifferences);

  EXPECT_EQ(xml_fault(picture), "");
  EXPECT_EQ(count_of(picture, "class=\"mark"), 3U);
  EXPECT_EQ(count_of(picture, "class=\"mark dshn\""), 2U);
  EXPECT_EQ(count_of(picture, "class=\"interval\""), 1U);
  EXPECT_EQ(count_of(picture, ">telegram</text>"), 1U);
}

TEST(Picture, CanBeReadAloud) {
  const std::string picture = difference_picture(kDifferences);

  EXPECT_THAT(picture, HasSubstr("role=\"img\" aria-labelledby=\"title desc\""));
  EXPECT_THAT(picture, HasSubstr("<title id=\"title\">Difference to the paper</title>"));
  EXPECT_THAT(picture, HasSubstr("DSHN on telegram: +3.25, 95 % interval −1.50 to +8.00."));
  EXPECT_THAT(picture, HasSubstr("DSHNLight on telegram: −4.80."));
  EXPECT_THAT(picture, HasSubstr("Marks without a line have no known interval."));
  EXPECT_THAT(picture, HasSubstr("prefers-color-scheme: dark"));
  EXPECT_THAT(difference_picture({kDifferences[0]}), Not(HasSubstr("Marks without")));
}

TEST(Picture, StaysInItsFrame) {
  const std::string picture = difference_picture({{"telegram", "dshn", 30, std::pair(-42.0, 60.0)}});

  static const std::regex place(" (?:x|x1|x2|cx)=\"([-0-9.]+)\"");
  for (std::sregex_iterator it(picture.begin(), picture.end(), place), end; it != end; ++it) {
    EXPECT_GE(std::stod((*it)[1]), 0) << it->str();
    EXPECT_LE(std::stod((*it)[1]), 760) << it->str();
  }
}

TEST(Picture, IsMadeOfStoredCells) {
  const TemporaryFolder folder;
  EXPECT_TRUE(differences_in(folder.path()).empty());
  const ordered_json paper{{"mean", 88.65}, {"std", 5.54}};
  const auto cell = [&](const char* model, double mean) {
    return ordered_json{{"row", model},   {"column", "telegram"},     {"data", "telegram"},
                        {"model", model}, {"test", {{"mean", mean}}}, {"paper", paper}};
  };
  ordered_json cells{cell("dshn", 90.65), cell("hgnn", 60), cell("dshn-light", 80)};
  cells.push_back(
      {{"row", "DSHN"}, {"column", "cora"}, {"data", "cora"}, {"model", "dshn"}, {"paper", paper}});
  cells[0]["test"] = {{"mean", 90.65}, {"std", 5.0}, {"n", 100}};
  cells[0]["items"] = {{"train", 147}, {"test", 52}};
  io::write_file(folder / "real-world.json", ordered_json{{"cells", cells}}.dump());

  const std::vector<Difference> found = differences_in(folder.path());

  ASSERT_EQ(found.size(), 2U);
  EXPECT_NEAR(found[0].mean, 2, 1e-9);
  ASSERT_TRUE(found[0].interval);
  EXPECT_LT(found[0].interval->first, 2);
  EXPECT_EQ(found[1].model, "dshn-light");
  EXPECT_FALSE(found[1].interval);
  io::write_file(folder / "synthetic.json", "{");
  EXPECT_THROW(differences_in(folder.path()), InvalidInput);
}

TEST(Picture, OfTheStoredResultsIsTheOneInTheirPage) {
  const std::filesystem::path docs = std::filesystem::path(DSHN_SOURCE_DIR) / "docs";
  const std::vector<Difference> differences = differences_in(docs / "results");

  EXPECT_EQ(differences.size(), 26U);
  EXPECT_TRUE(io::read_file(docs / "images" / "results-difference.svg") == difference_picture(differences))
      << "dshn reproduce --render docs/results --picture docs/images/results-difference.svg draws it again";
}

}  // namespace
}  // namespace dshn::experiments
