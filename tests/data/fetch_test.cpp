#include "dshn/data/fetch.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/file.h>

#include "data/loopback_server.hpp"
#include "data/support.hpp"
#include "dshn/data/open.hpp"
#include "support/real_data.hpp"

namespace dshn::data {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using testing::LoopbackServer;
using testing::message_of;
using testing::read_text;
using testing::Request;
using testing::status;
using testing::whole;
using testing::write_text;

class FetchTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!has_fetch()) GTEST_SKIP() << "this build has no libcurl or no OpenSSL";
  }

  FetchOptions from(const LoopbackServer& server) {
    FetchOptions options;
    options.mirror = server.address();
    options.retries = 0;
    return options;
  }

  bool is_empty(const fs::path& path) { return !fs::exists(path) || fs::is_empty(path); }

  TemporaryFolder home_;
  fs::path cache_ = home_.path() / "dshn";
  testing::Environment no_proxy_{"no_proxy", "127.0.0.1"};
  testing::Environment no_mirror_{"DSHN_DATA_MIRROR", std::nullopt};
  testing::Environment xdg_{"XDG_CACHE_HOME", home_.path().string()};
};

/// Serves the raw files of the real data folder under their names.
LoopbackServer::Handler raw_files(const fs::path& folder) {
  return [folder](const Request& request) {
    const std::string name = fs::path(request.path).filename().string();
    for (const fs::path& path : {folder / name, folder / "webkb_cornell" / name}) {
      if (fs::exists(path)) return whole(read_text(path));
    }
    return status(404);
  };
}

TEST_F(FetchTest, BringsSetsThatOpenThenFinds) {
  DSHN_NEEDS_REAL_DATA("raw");
  const LoopbackServer server(raw_files(test::real_data() / "raw"));
  const testing::Environment elsewhere("DSHN_DATA_DIR", std::nullopt);
  for (const char* name : {"chameleon", "squirrel-directed", "telegram", "cornell"}) {
    SCOPED_TRACE(name);
    std::int64_t done = 0, total = -1;
    FetchOptions options = from(server);
    options.progress = [&](const FetchProgress& progress) {
      EXPECT_GE(progress.done, done);
      done = progress.done;
      total = progress.total;
      return true;
    };

    const fs::path folder = fetch(name, options);
    const Dataset dataset = open(name);

    EXPECT_EQ(folder, cache_ / name);
    EXPECT_EQ(done, total);
    const StatisticsRow expected = find_entry(name)->expected.value();
    EXPECT_EQ(dataset.hypergraph.node_count(), expected.nodes);
    EXPECT_EQ(dataset.hypergraph.edge_count(), expected.hyperedges);
    EXPECT_EQ(dataset.class_count, expected.classes);
    EXPECT_FALSE(fs::exists(cache_ / ("." + std::string(name) + ".fetch")));
  }
}

TEST_F(FetchTest, DoesNotFetchTwice) {
  DSHN_NEEDS_REAL_DATA("raw");
  const LoopbackServer server(raw_files(test::real_data() / "raw"));
  fetch("telegram", from(server));
  const std::size_t before = server.requests().size();

  fetch("telegram", from(server));
  EXPECT_EQ(server.requests().size(), before);

  write_text(cache_ / "telegram" / "telegram_labels.npy", "spoilt");
  EXPECT_THAT(message_of<Failure>([&] { fetch("telegram", from(server)); }),
              HasSubstr("its telegram_labels.npy is missing or not the published one"));
}

TEST_F(FetchTest, KeepsTheFirstFileWhenTheSecondFailsButShowsNothing) {
  DSHN_NEEDS_REAL_DATA("raw");
  const auto good = raw_files(test::real_data() / "raw");
  {
    const LoopbackServer half([&](const Request& request) {
      return request.path.ends_with("labels.npy") ? status(404) : good(request);
    });
    EXPECT_THROW(fetch("telegram", from(half)), Failure);
  }
  EXPECT_FALSE(fs::exists(cache_ / "telegram"));

  const LoopbackServer server(good);
  fetch("telegram", from(server));

  ASSERT_EQ(server.requests().size(), 1U);
  EXPECT_THAT(server.requests()[0].path, ::testing::EndsWith("telegram_labels.npy"));
  EXPECT_TRUE(fs::exists(cache_ / "telegram" / "telegram_adj.npz"));
}

TEST_F(FetchTest, LeavesNothingBehindWhenTheServerHasNothing) {
  const LoopbackServer server([](const Request&) { return status(404); });
  EXPECT_THAT(message_of<Failure>([&] { fetch("roman-empire", from(server)); }),
              HasSubstr("HTTP status 404"));
  EXPECT_TRUE(is_empty(cache_));
  ASSERT_EQ(server.requests().size(), 1U);
  EXPECT_EQ(
      server.requests()[0].path,
      "/yandex-research/heterophilous-graphs/a431395582e929d88271309716bea4fe24ce6318/data/roman_empire.npz");
}

TEST_F(FetchTest, LeavesNothingBehindWhenTheContentIsWrong) {
  // The size of telegram_adj.npz, but not its content.
  const LoopbackServer server([](const Request&) { return whole(std::string(16'233, 'x')); });
  EXPECT_THAT(message_of<Failure>([&] { fetch("telegram", from(server)); }),
              HasSubstr("not what was published"));
  EXPECT_TRUE(is_empty(cache_));
}

TEST_F(FetchTest, LetsOnlyOneProcessFetchASet) {
  const fs::path staging = cache_ / ".telegram.fetch";
  fs::create_directories(staging);
  const int held = ::open(staging.c_str(), O_RDONLY | O_DIRECTORY);
  ASSERT_EQ(::flock(held, LOCK_EX), 0);
  const LoopbackServer server([](const Request&) { return status(404); });
  EXPECT_THAT(message_of<Failure>([&] { fetch("telegram", from(server)); }), HasSubstr("another process"));
  ::close(held);
  EXPECT_TRUE(server.requests().empty());
}

TEST_F(FetchTest, SaysWhenItsFolderCannotBeMade) {
  write_text(cache_, "a file where the folder should be");
  const LoopbackServer server([](const Request&) { return status(404); });
  EXPECT_THAT(message_of<Failure>([&] { fetch("telegram", from(server)); }), HasSubstr(cache_.string()));
}

TEST(Fetch, SaysWhichSetsCannotBeDownloaded) {
  EXPECT_THAT(message_of<UsageError>([] { fetch("cora"); }),
              HasSubstr("features and labels are in Python pickles"));
  EXPECT_THAT(message_of<UsageError>([] { fetch("email-eu"); }),
              HasSubstr("https://github.com/Stefa1994/GeDi-HNN"));
  EXPECT_THAT(message_of<UsageError>([] { fetch("molecular-2"); }), HasSubstr("not publicly available"));
  EXPECT_THAT(message_of<UsageError>([] { fetch("synthetic-generated-io10"); }), HasSubstr("generated"));
  EXPECT_THAT(message_of<UsageError>([] { fetch("roman-empir"); }), HasSubstr("did you mean roman-empire?"));
}

TEST(AddressOf, FollowsTheMirror) {
  const SourceFile file{"owner/repository/commit", "data/file.npz", 1, "0"};
  {
    const testing::Environment none("DSHN_DATA_MIRROR", std::nullopt);
    EXPECT_EQ(address_of(file), "https://raw.githubusercontent.com/owner/repository/commit/data/file.npz");
  }
  const testing::Environment mirror("DSHN_DATA_MIRROR", "http://mirror.example/");
  EXPECT_EQ(address_of(file), "http://mirror.example/owner/repository/commit/data/file.npz");
}

}  // namespace
}  // namespace dshn::data
