// What others made and we ship is pinned, named and under a known licence.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <set>
#include <string>

#include "house/pages.hpp"

namespace dshn::house {
namespace {

using testing::Contains;
using testing::IsEmpty;

/// What the lock file says of one package.
struct Locked {
  std::string version, licence, integrity;
  bool tool = false;  // for the build or the tests, not for the page
  bool runs_scripts = false;
};

/// By name. The lock file is written by npm: one field a line, packages four spaces in.
std::map<std::string, Locked> locked_packages() {
  const std::string text = content_of(kRoot / "web/package-lock.json");
  std::map<std::string, Locked> packages;
  const std::regex begin("\\n    \"node_modules/([^\"]+)\": \\{\\n");
  for (std::sregex_iterator it(text.begin(), text.end(), begin), end; it != end; ++it) {
    const auto from = static_cast<std::size_t>(it->position());
    const std::string block = text.substr(from, text.find("\n    }", from) - from);
    const auto field = [&](const std::string& name) {
      const auto found = matches(block, "\"" + name + "\": \"?([^\",\\n]+)");
      return found.empty() ? std::string() : found.front();
    };
    packages[(*it)[1]] = {field("version"), field("license"), field("integrity"), field("dev") == "true",
                          field("hasInstallScript") == "true"};
  }
  return packages;
}

/// The rows of the table that follows a marker of THIRD-PARTY.md: cells without their spaces and code marks.
std::vector<std::vector<std::string>> table_after(const std::string& marker) {
  const std::string page = content_of(kRoot / "THIRD-PARTY.md");
  const std::size_t begin = page.find("<!-- " + marker);
  if (begin == std::string::npos) throw std::runtime_error("THIRD-PARTY.md: no table of " + marker);
  const std::size_t end = page.find("\n\n", begin);
  std::vector<std::vector<std::string>> rows;
  for (const std::string& line : matches(page.substr(begin, end - begin), "^(\\| `.*)$"))
    rows.push_back(matches(line, "\\| *`?([^|`]*[^|` ])?`? *(?=\\|)"));
  return rows;
}

const std::set<std::string> kKnownLicences{"Apache-2.0", "BSD-3-Clause", "ISC",  "MIT",          "MPL-2.0",
                                           "Unlicense",  "Zlib",         "curl", "public domain"};

TEST(ThirdParty, PackagesOfThePageArePinnedAndRunNothingWhenInstalled) {
  const std::string wanted = content_of(kRoot / "web/package.json");
  const std::string pins = wanted.substr(wanted.find("\"dependencies\""));
  for (const std::string& version : matches(pins, "\": \"([^\"]+)\""))
    EXPECT_TRUE(std::regex_match(version, std::regex("[0-9]+\\.[0-9]+\\.[0-9]+"))) << version;

  const auto packages = locked_packages();
  ASSERT_GT(packages.size(), 40U);
  for (const auto& [name, package] : packages) {
    EXPECT_TRUE(std::regex_match(package.version, std::regex("[0-9]+\\.[0-9]+\\.[0-9]+"))) << name;
    EXPECT_TRUE(package.integrity.starts_with("sha512-")) << name;
    EXPECT_TRUE(package.tool || !package.runs_scripts) << name;
  }
  const std::string build = content_of(kRoot / "web/build.cmake");
  EXPECT_THAT(matches(build, "(\\$\\{NPM\\} [a-z]+ --[a-z-]+)"), testing::Each("${NPM} ci --ignore-scripts"));
}

TEST(ThirdParty, ThePageNamesEveryPackageThatIsShipped) {
  std::map<std::string, Locked> shipped = locked_packages();
  std::erase_if(shipped, [](const auto& entry) { return entry.second.tool; });
  for (const auto& row : table_after("npm:")) {
    ASSERT_EQ(row.size(), 3U);
    const auto found = shipped.find(row[0]);
    ASSERT_NE(found, shipped.end()) << row[0] << " is not shipped";
    EXPECT_EQ(found->second.version, row[1]) << row[0];
    EXPECT_EQ(found->second.licence, row[2]) << row[0];
    EXPECT_THAT(kKnownLicences, Contains(row[2])) << row[0];
    shipped.erase(found);
  }
  for (const auto& [name, package] : shipped)
    ADD_FAILURE() << "THIRD-PARTY.md lacks: | `" << name << "` | " << package.version << " | "
                  << package.licence << " |";
}

TEST(ThirdParty, ThePageNamesEveryPackageThatWasBundled) {
  const std::filesystem::path share = DSHN_SHARE_DIR;
  if (!std::filesystem::exists(share / "report.js"))
    GTEST_SKIP() << "the page was not bundled: there is no npm, or its registry was not reached";
  std::set<std::string> named;
  for (const auto& row : table_after("npm:")) named.insert(row[0] + " " + row[1]);
  const std::string script = content_of(share / "report.js");
  const std::string texts = content_of(share / "LICENSES.txt");
  const std::string version = "(@?[a-z][a-z0-9/-]* [0-9]+\\.[0-9]+\\.[0-9]+)(?=,|$)";
  for (const std::string& text : {script.substr(script.find("This script contains:")), texts}) {
    const auto carried = matches(text, version);
    EXPECT_EQ(std::set(carried.begin(), carried.end()), named);
  }
  EXPECT_EQ(content_of(kRoot / "web/src/style.css").find("@font-face"), std::string::npos)
      << "a font has a licence too";
}

TEST(ThirdParty, ThePageNamesEveryLibrary) {
  std::set<std::string> used;
  for (const std::string& name :
       matches(content_of(kRoot / "cmake/Dependencies.cmake"), "find_package\\(([A-Za-z0-9_]+)"))
    if (name != "Threads") used.insert(name);
  used.insert("pybind11");  // found by python/CMakeLists.txt
  std::set<std::string> named;
  for (const auto& row : table_after("libraries:")) {
    ASSERT_EQ(row.size(), 4U);
    named.insert(row[0]);
    EXPECT_THAT(kKnownLicences, Contains(row[2])) << row[0];
  }
  EXPECT_EQ(named, used);
}

}  // namespace
}  // namespace dshn::house
