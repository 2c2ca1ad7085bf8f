#include "dshn/report/page.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "dshn/base/error.hpp"
#include "report/files.hpp"

namespace dshn::report {
namespace {

using nlohmann::ordered_json;
using testing::HasSubstr;
using testing::Not;

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(Page, NamesCannotEndTheScript) {
  const std::string evil = "</script><script>alert(1)</script><!-- & \xe2\x80\xa8";
  const ordered_json document{{"runs", {{{"name", evil}}}}};

  const std::string text = page(evil, document, {"run();", "body {}"});

  EXPECT_EQ(count_of(text, "</script>"), 2U);
  EXPECT_EQ(count_of(text, "<script"), 2U);
  EXPECT_THAT(text, Not(HasSubstr("<!-- ")));
  EXPECT_THAT(text, HasSubstr("<title>&lt;/script&gt;&lt;script&gt;alert(1)"));
}

TEST(Page, ScriptJsonIsTheSameDocument) {
  const ordered_json document{{"a", "</script>&<!--\"\\"}, {"b", {1, 2.5, nullptr}}};
  const std::string text = script_json(document);
  EXPECT_EQ(ordered_json::parse(text), document);
  EXPECT_EQ(text.find_first_of("<>&"), std::string::npos);
}

TEST(Page, MillionsOfBracketsAreWrittenInOnePass) {
  // Moving the rest of the text for each of them would take hours.
  const std::size_t many = 4'000'000;
  const std::string text = script_json({{"name", std::string(many, '<')}});
  EXPECT_EQ(text.size(), 6 * many + std::string(R"({"name":""})").size());
  EXPECT_EQ(text.find('<'), std::string::npos);
}

TEST(Page, BytesThatAreNoTextAreReplaced) {
  const ordered_json document{{"name", "caf\xe9"}};
  EXPECT_EQ(ordered_json::parse(script_json(document))["name"], "caf\xef\xbf\xbd");
}

TEST(Page, ForbidsRequests) {
  EXPECT_THAT(page("t", {}, {"run();", ""}), HasSubstr("default-src 'none'"));
}

TEST(Page, RefusesAScriptThatWouldEndItself) {
  EXPECT_THROW(page("t", {}, {"'</script>'", ""}), Failure);
}

TEST(Page, SaysHowToGetTheScript) {
  const TemporaryFolder folder;
  setenv("DSHN_SHARE_DIR", folder.path().c_str(), 1);
  try {
    find_bundle();
    ADD_FAILURE() << "there is no bundle";
  } catch (const Failure& failure) {
    EXPECT_THAT(failure.what(), HasSubstr("apt-get install nodejs npm"));
  }
  put(folder / "report.js", "run();");
  put(folder / "report.css", "body {}");
  EXPECT_EQ(find_bundle().script, "run();");
  EXPECT_EQ(find_bundle().style, "body {}");
  unsetenv("DSHN_SHARE_DIR");
}

}  // namespace
}  // namespace dshn::report
