// dshn tune with its trials on a PostgreSQL server.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "cli/subprocess.hpp"
#include "support/postgres_server.hpp"

namespace dshn::cli::test {
namespace {

using testing::HasSubstr;
using testing::Not;

Arguments study_in(const std::string& out, const std::string& url, const Arguments& more = {}) {
  Arguments arguments{"tune",    "--data",         "synthetic-generated-io10",
                      "--model", "hgnn",           "--device",
                      "cpu",     "--set",          "epochs=4",
                      "--set",   "hidden_width=8", "--splits",
                      "2",       "--trials",       "4",
                      "--quiet", "--json",         "--out",
                      out};
  if (!url.empty()) arguments.insert(arguments.end(), {"--study", url, "--study-name", "march"});
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

/// The suite installs a server; where somebody builds without it, there is none to tune on.
class TuneOnServer : public testing::Test {
 protected:
  void SetUp() override {
    if (!PostgresServer::is_installed())
      GTEST_SKIP() << "no PostgreSQL server is installed: studies on servers are not tested";
    server_.emplace().start();
  }

  std::optional<PostgresServer> server_;
};

TEST_F(TuneOnServer, GivesWhatAFileGivesToAllFoldersOfTheStudy) {
  const Scratch scratch;

  const Outcome with_file = dshn(study_in(scratch.at("file"), ""));
  const Outcome first = dshn(study_in(scratch.at("first"), server_->url()));
  const Outcome second = dshn(study_in(scratch.at("second"), server_->url(), {"--resume"}));

  ASSERT_EQ(first.status, 0) << first.err;
  ASSERT_EQ(second.status, 0) << second.err;
  EXPECT_EQ(first.json()["trials"], with_file.json()["trials"]);
  EXPECT_EQ(first.json()["trials"], second.json()["trials"]);
  EXPECT_FALSE(std::filesystem::exists(scratch.path() / "first" / "study.sqlite"));
  EXPECT_TRUE(std::filesystem::exists(scratch.path() / "second" / "best.toml"));
  for (const std::string& text : {first.out, first.err, second.out, second.err})
    EXPECT_THAT(text, Not(HasSubstr(PostgresServer::kPassword)));
}

TEST_F(TuneOnServer, RefusesToBeginAStudyThatIsThere) {
  const Scratch scratch;
  ASSERT_EQ(dshn(study_in(scratch.at("one"), server_->url())).status, 0);
  const Outcome again = dshn(study_in(scratch.at("two"), server_->url()));
  EXPECT_EQ(again.status, 2);
  EXPECT_THAT(again.err, HasSubstr("study march on postgresql://"));
  EXPECT_THAT(again.err, Not(HasSubstr(PostgresServer::kPassword)));
}

TEST(TuneOnNoServer, IsRefusedInOneLine) {
  const Scratch scratch;
  const Outcome wrong = dshn(study_in(scratch.at("wrong"), "http://somewhere"));
  EXPECT_EQ(wrong.status, 2);
  EXPECT_TRUE(wrong.one_line()) << wrong.err;
  EXPECT_FALSE(std::filesystem::exists(scratch.path() / "wrong"));
}

}  // namespace
}  // namespace dshn::cli::test
