#include "dshn/data/fetch.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <string>
#include <thread>

#include "cli/subprocess.hpp"
#include "data/loopback_server.hpp"
#include "support/real_data.hpp"

namespace dshn::cli::test {
namespace {

namespace fs = std::filesystem;
using data::testing::LoopbackServer;
using data::testing::Request;
using testing::HasSubstr;

class FetchCommand : public testing::Test {
 protected:
  void SetUp() override {
    if (!data::has_fetch()) GTEST_SKIP() << "this build has no libcurl or no OpenSSL";
  }

  Arguments fetch(const std::string& name, const LoopbackServer& server) const {
    return {"data", "fetch", name, "--dir", folder_.path().string(), "--mirror", server.address(), "--json"};
  }

  const Scratch folder_{};
  const Setting setting_{.environment = {"no_proxy=127.0.0.1"}};
};

LoopbackServer::Handler files_in(const fs::path& folder) {
  return [folder](const Request& request) {
    return data::testing::whole(read_file(folder / fs::path(request.path).filename()));
  };
}

TEST_F(FetchCommand, BringsASetThatInfoReads) {
  DSHN_NEEDS_REAL_DATA("raw");
  LoopbackServer server(files_in(dshn::test::real_data() / "raw"));

  const Outcome outcome = dshn(fetch("chameleon", server), setting_);

  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.json()["fetched"][0]["path"], folder_.at("chameleon"));
  const Outcome info = dshn({"data", "info", "chameleon", "--json"},
                            {.environment = {"DSHN_DATA_DIR=" + folder_.path().string()}});
  EXPECT_EQ(info.json()["n_hyperedges"], 797) << info.err;
}

TEST_F(FetchCommand, ShowsABarOnATerminal) {
  DSHN_NEEDS_REAL_DATA("raw");
  LoopbackServer server(files_in(dshn::test::real_data() / "raw"));
  Arguments arguments = fetch("squirrel", server);
  arguments.pop_back();  // for people

  const Outcome outcome = dshn_on_terminal(arguments, setting_);

  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, HasSubstr("of 208.2 kB"));
  EXPECT_THAT(outcome.out, HasSubstr("squirrel: 208.2 kB in "));
}

TEST_F(FetchCommand, InterruptedLeavesNoSet) {
  LoopbackServer server([](const Request&) { return data::testing::Reply{"", true}; });
  const Scratch output;
  const pid_t process = start_dshn(fetch("chameleon", server), setting_, output.path());
  while (server.requests().empty()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  kill(process, SIGINT);

  EXPECT_EQ(wait_for(process), 128 + SIGINT);
  EXPECT_EQ(read_file(output.path() / "stderr"), "dshn: interrupted; nothing half-written is left\n");
  EXPECT_FALSE(fs::exists(folder_.at("chameleon")));
}

TEST_F(FetchCommand, AServerWithoutTheFileIsAFailure) {
  LoopbackServer server([](const Request&) { return data::testing::status(404); });

  const Outcome outcome = dshn(fetch("chameleon", server), setting_);

  EXPECT_EQ(outcome.status, 1);
  EXPECT_TRUE(outcome.one_line()) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("404"));
  EXPECT_EQ(outcome.out, "");
  EXPECT_FALSE(fs::exists(folder_.at("chameleon")));
}

TEST_F(FetchCommand, WhatCannotBeFetchedSaysWhereItIs) {
  const Outcome outcome = dshn({"data", "fetch", "cora", "--dir", folder_.path().string()});

  EXPECT_EQ(outcome.status, 2);
  EXPECT_TRUE(outcome.one_line()) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("github.com"));
}

TEST_F(FetchCommand, AMisspeltNameIsFoundBeforeAnythingIsFetched) {
  LoopbackServer server([](const Request&) { return data::testing::status(404); });
  Arguments arguments = fetch("chameleon", server);
  arguments.emplace_back("squirel");

  const Outcome outcome = dshn(arguments, setting_);

  EXPECT_EQ(outcome.status, 2) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("did you mean squirrel"));
  EXPECT_TRUE(server.requests().empty());
}

}  // namespace
}  // namespace dshn::cli::test
