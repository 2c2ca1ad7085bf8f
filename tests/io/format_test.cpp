#include "dshn/io/format.hpp"

#include <gmock/gmock.h>

#include <set>

#include "dshn/base/error.hpp"
#include "dshn/io/atomic_file.hpp"

namespace dshn::io {
namespace {

using testing::HasSubstr;

/// Adding a format changes the table on the page: on failure the text to paste is printed.
TEST(Formats, PageHasTheTable) {
  const std::string page = read_file(std::filesystem::path(DSHN_SOURCE_DIR) / "docs" / "formats.md");
  EXPECT_TRUE(page.find("\n" + format_table() + "\n") != std::string::npos)
      << "docs/formats.md has another table of formats; expected:\n\n"
      << format_table();
  for (const Format& format : formats()) {
    std::string heading = "\n## " + format.section + "\n";
    std::replace(heading.begin() + 4, heading.end(), '-', ' ');
    std::string lower = page;
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return std::tolower(c); });
    EXPECT_THAT(lower, HasSubstr(heading)) << format.name;
  }
}

TEST(Formats, AreToldApart) {
  std::set<std::string> names;
  std::set<std::string> written;
  for (const Format& format : formats()) {
    EXPECT_TRUE(names.insert(format.name).second) << format.name;
    EXPECT_TRUE(format.read || format.write) << format.name;
    EXPECT_TRUE(!format.read || format.recognise) << format.name;
    EXPECT_EQ(format.folder, format.extensions.empty()) << format.name;
    if (!format.write) continue;
    EXPECT_EQ(format.folder, !format.files.empty()) << format.name;
    for (const std::string& extension : format.extensions)
      EXPECT_TRUE(written.insert(extension).second) << extension;
  }
}

TEST(Formats, AreChosenByName) {
  const auto name_of = [](const char* path) { return format_to_write(path).name; };
  EXPECT_EQ(name_of("a/b"), "data-set-folder");
  EXPECT_EQ(name_of("a/b.c/"), "data-set-folder");
  EXPECT_EQ(name_of("a.b/c.json"), "hif");
  EXPECT_EQ(name_of("c.hif.json.zst"), "hif");
  EXPECT_EQ(name_of("c.csv.gz"), "hyperedge-list");
}

}  // namespace
}  // namespace dshn::io
