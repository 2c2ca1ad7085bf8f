#include "dshn/tune/store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <set>

#include "dshn/base/error.hpp"
#include "support/temporary_folder.hpp"
#include "tune/on_test_server.hpp"
#include "tune/sqlite.hpp"

namespace dshn::tune {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

Assignments numbered(const std::vector<Trial>& /*history*/, int number) {
  return {{"n", std::to_string(number)}};
}

TrialState completed(const std::vector<Trial>& /*trials*/) {
  return TrialState::completed;
}

enum class Kind : std::uint8_t { file, server };

/// Every kind of store has the same cases.
class Stores : public testing::TestWithParam<Kind> {
 protected:
  void SetUp() override {
    if (GetParam() == Kind::server && !test::has_server())
      GTEST_SKIP() << "no libpqxx or no PostgreSQL server is installed: studies on servers are not tested";
  }

  /// A study of its own for each name.
  StoreAddress address(const std::string& name = "study") const {
    if (GetParam() == Kind::file) return {folder_ / (name + ".sqlite")};
    return test::on_test_server(folder_.path().filename().string() + "/" + name);
  }
  std::filesystem::path log(const std::string& name) const { return folder_ / name; }

 private:
  TemporaryFolder folder_;
};

INSTANTIATE_TEST_SUITE_P(EveryKind, Stores, testing::Values(Kind::file, Kind::server),
                         [](const auto& kind) { return kind.param == Kind::file ? "File" : "Server"; });

/// Claims and finishes trials until there are none, and writes down their numbers.
void make_all(const StoreAddress& address, const std::filesystem::path& log) {
  Store store(address);
  std::ofstream numbers(log);
  while (const auto claim = store.claim(numbered)) {
    numbers << claim->number << '\n';
    store.record(*claim, 0, 0.5, completed);
  }
}

/// Runs it in a process of its own.
pid_t in_another_process(const std::function<void()>& work) {
  const pid_t process = fork();
  if (process != 0) return process;
  try {
    work();
  } catch (const std::exception& problem) {
    fputs(problem.what(), stderr);
    _exit(1);
  }
  _exit(0);
}

bool ended_well(pid_t process) {
  int status = 0;
  return waitpid(process, &status, 0) == process && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST_P(Stores, SharesTrialsAmongProcessesWithoutOverlap) {
  const StoreAddress place = address();
  Store::create(place, "request", 30);
  std::vector<pid_t> processes;
  for (int i = 0; i < 3; ++i)
    processes.push_back(in_another_process([&] { make_all(place, log(std::to_string(i))); }));
  for (const pid_t process : processes) EXPECT_TRUE(ended_well(process));

  std::multiset<int> seen;
  for (int i = 0; i < 3; ++i) {
    std::ifstream numbers(log(std::to_string(i)));
    for (int number = 0; numbers >> number;) seen.insert(number);
  }
  EXPECT_EQ(seen.size(), 30U);
  EXPECT_EQ(std::set<int>(seen.begin(), seen.end()).size(), 30U);
  EXPECT_TRUE(Store(place).all_finished());
}

TEST_P(Stores, TakesUpTheTrialOfADeadProcessAtOnce) {
  const StoreAddress place = address();
  Store::create(place, "request", 5);
  const pid_t process = in_another_process([&] { Store(place).claim(numbered); });
  ASSERT_TRUE(ended_well(process));

  Store store(place, /*stale_seconds=*/1e9);
  const auto claim = store.claim(numbered);

  ASSERT_TRUE(claim);
  EXPECT_EQ(claim->number, 0);
  EXPECT_EQ(claim->attempt, 2);
}

TEST_P(Stores, LeavesTheTrialOfALivingWorkerAlone) {
  const StoreAddress place = address();
  Store::create(place, "request", 2);
  Store store(place, 1e9);

  EXPECT_EQ(store.claim(numbered)->number, 0);
  EXPECT_EQ(store.claim(numbered)->number, 1);
  EXPECT_FALSE(store.claim(numbered));
  EXPECT_FALSE(store.all_finished());
}

TEST_P(Stores, EndsTheClaimOfAWorkerThatWasSilent) {
  const StoreAddress place = address();
  Store::create(place, "request", 1);
  Store slow(place);
  const Claim lost = *slow.claim(numbered);
  Store other(place, /*stale_seconds=*/-1);

  const Claim taken = *other.claim(numbered);

  EXPECT_EQ(taken.number, lost.number);
  EXPECT_FALSE(slow.beat(lost));
  EXPECT_FALSE(slow.record(lost, 0, 0.9, completed));
  EXPECT_FALSE(slow.fail(lost, "late"));
  EXPECT_FALSE(slow.release(lost));
  EXPECT_TRUE(other.record(taken, 0, 0.5, completed));
  EXPECT_THAT(other.trials()[0].validation, ElementsAre(0.5));
  EXPECT_FALSE(other.record(taken, 1, 0.5, completed));
}

TEST_P(Stores, GivesAReleasedTrialToTheNext) {
  const StoreAddress place = address();
  Store::create(place, "request", 3);
  Store store(place);
  const Claim first = *store.claim(numbered);
  store.record(first, 0, 0.25, [](const auto&) { return TrialState::running; });
  store.release(first);
  EXPECT_EQ(store.trials()[0].state, TrialState::waiting);

  const Claim again = *store.claim(numbered);

  EXPECT_EQ(again.number, first.number);
  EXPECT_THAT(store.trial(again).validation, ElementsAre(0.25));
}

TEST_P(Stores, KeepsNothingOfATransactionThatFails) {
  const StoreAddress place = address();
  Store::create(place, "request", 3);
  Store store(place);
  const Claim claim = *store.claim(numbered);

  EXPECT_THROW(store.record(claim, 0, 0.5, [](const auto&) -> TrialState { throw Failure("no"); }), Failure);

  EXPECT_TRUE(store.trials()[0].validation.empty());
  EXPECT_TRUE(store.record(claim, 0, 0.5, completed));
}

TEST_P(Stores, RemembersWhyATrialFailed) {
  const StoreAddress place = address();
  Store::create(place, "request", 1);
  Store store(place);

  store.fail(*store.claim(numbered), "it diverged");

  EXPECT_EQ(store.trials()[0].state, TrialState::failed);
  EXPECT_EQ(store.trials()[0].message, "it diverged");
  EXPECT_TRUE(store.all_finished());
}

TEST_P(Stores, MayBeAskedForMoreTrialsButNotForFewerThanItHas) {
  const StoreAddress place = address();
  Store::create(place, "request", 2);
  make_all(place, log("log"));
  Store store(place);

  EXPECT_THROW(store.set_goal(1), UsageError);
  store.set_goal(4);

  EXPECT_FALSE(store.all_finished());
  EXPECT_EQ(store.claim(numbered)->number, 2);
}

TEST_P(Stores, IsMadeByOneProcessAlone) {
  const StoreAddress place = address();
  EXPECT_FALSE(Store::holds_study(place));
  std::vector<pid_t> processes;
  for (int i = 0; i < 4; ++i)
    processes.push_back(in_another_process([&] {
      const bool made = Store::create(place, "request " + std::to_string(i), 7);
      std::ofstream(log(std::to_string(i))) << made;
    }));
  for (const pid_t process : processes) EXPECT_TRUE(ended_well(process));

  int makers = 0;
  for (int i = 0; i < 4; ++i) {
    std::ifstream file(log(std::to_string(i)));
    int made = 0;
    file >> made;
    makers += made;
    if (made != 0) {
      EXPECT_EQ(Store(place).request(), "request " + std::to_string(i));
    }
  }
  EXPECT_EQ(makers, 1);
  EXPECT_TRUE(Store::holds_study(place));
  EXPECT_FALSE(Store::create(place, "other", 9));
  EXPECT_EQ(Store(place).goal(), 7);
}

TEST_P(Stores, KeepsFiguresToTheLastBit) {
  const StoreAddress place = address();
  const std::vector<double> figures{1.0 / 3, 0.1, 1e-300, -0.0, 123456789.123456789};
  Store::create(place, "request", 1);
  Store store(place);
  const Claim claim = *store.claim(numbered);

  for (std::size_t i = 0; i < figures.size(); ++i)
    store.record(claim, static_cast<int>(i), figures[i], [](const auto&) { return TrialState::running; });

  EXPECT_EQ(store.trials()[0].validation, figures);
}

TEST_P(Stores, KeepsWhatAPieceOfWorkCameTo) {
  const StoreAddress place = address();
  Store::create(place, "request", 1);
  Store store(place);
  const Claim claim = *store.claim(numbered);

  EXPECT_TRUE(store.finish(claim, "{\"it\": \"was 'done' \\\\ ü\"}\n"));

  EXPECT_EQ(store.trials()[0].state, TrialState::completed);
  EXPECT_EQ(store.trials()[0].message, "{\"it\": \"was 'done' \\\\ ü\"}\n");
  EXPECT_FALSE(store.finish(claim, "again"));
}

/// Changes the database behind the store's back.
void change(const StoreAddress& address, const std::string& sql) {
  if (address.is_on_server()) {
    test::change_on_server(address, sql);
    return;
  }
  sqlite3* connection = nullptr;
  ASSERT_EQ(sqlite3_open(address.file().c_str(), &connection), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(connection, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK);
  sqlite3_close(connection);
}

TEST_P(Stores, RefusesAnotherVersion) {
  const StoreAddress place = address();
  Store::create(place, "request", 2);
  change(place, place.is_on_server() ? "UPDATE layout SET version = 7" : "PRAGMA user_version = 7");

  EXPECT_THAT([&] { Store store(place); },
              ThrowsMessage<InvalidInput>(HasSubstr("is of version 7; this program reads version 1")));
}

TEST_P(Stores, RefusesTrialsWithGaps) {
  const std::vector<std::pair<const char*, const char*>> cases{
      {"DELETE FROM trials WHERE number = 1", "trial 1 is missing; the next one is 2"},
      {"DELETE FROM trials WHERE number = 2", "there is a figure of trial 2, which is missing"},
      {"UPDATE trials SET number = -5 WHERE number = 0", "trial 0 is missing; the next one is -5"},
      {"UPDATE trials SET options = '[1]' WHERE number = 1",
       "the options of trial 1: the document is missing"},
      {"UPDATE trials SET options = '{' WHERE number = 1", "study: trial 1: byte 2: not JSON"},
      {"DROP TABLE figures", "of a study, or damaged"}};
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto& [sql, says] = cases[i];
    const StoreAddress place = address("case " + std::to_string(i));
    Store::create(place, "request", 3);
    make_all(place, log("log"));
    change(place, sql);
    EXPECT_THAT([&] { Store(place).trials(); }, ThrowsMessage<InvalidInput>(HasSubstr(says))) << sql;
  }
}

TEST_P(Stores, RefusesAStudyWithoutItsRequest) {
  const StoreAddress place = address();
  Store::create(place, "request", 3);
  change(place, "DELETE FROM study");

  EXPECT_THROW(Store(place).request(), InvalidInput);
  EXPECT_THROW(Store(place).goal(), InvalidInput);
}

TEST(Store, SaysThatAFileSystemHasNoLocksInsteadOfWaiting) {
  const TemporaryFolder folder;
  const auto file = folder / "study.sqlite";
  Store::create(file, "request", 3);
  EXPECT_TRUE(can_lock(folder.path()));
  const SqliteDatabase holder(file);
  holder.execute("BEGIN EXCLUSIVE");

  EXPECT_THAT(
      [&] {
        SqliteDatabase other(file, Opening::existing, [](const std::filesystem::path&) { return false; });
        other.transaction([] {});
      },
      ThrowsMessage<Failure>(HasSubstr("this file system has no locks, which a study needs")));
}

TEST(Store, RefusesAFileThatIsNoDatabase) {
  const TemporaryFolder folder;
  std::ofstream(folder / "study.sqlite") << "this is not a database, whatever its name says, not at all";

  EXPECT_THROW(Store(folder / "study.sqlite"), InvalidInput);
  EXPECT_FALSE(Store::holds_study(folder / "nothing.sqlite"));
}

}  // namespace
}  // namespace dshn::tune
