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

/// Claims and finishes trials until there are none, and writes down their numbers.
void make_all(const std::filesystem::path& file, const std::filesystem::path& log) {
  Store store(file);
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

TEST(Store, SharesTrialsAmongProcessesWithoutOverlap) {
  const TemporaryFolder folder;
  const auto file = folder / "study.sqlite";
  Store::create(file, "request", 30);
  std::vector<pid_t> processes;
  for (int i = 0; i < 3; ++i)
    processes.push_back(in_another_process([&] { make_all(file, folder / std::to_string(i)); }));
  for (const pid_t process : processes) EXPECT_TRUE(ended_well(process));

  std::multiset<int> seen;
  for (int i = 0; i < 3; ++i) {
    std::ifstream log(folder / std::to_string(i));
    for (int number = 0; log >> number;) seen.insert(number);
  }
  EXPECT_EQ(seen.size(), 30U);
  EXPECT_EQ(std::set<int>(seen.begin(), seen.end()).size(), 30U);
  EXPECT_TRUE(Store(file).all_finished());
}

TEST(Store, TakesUpTheTrialOfADeadProcessAtOnce) {
  const TemporaryFolder folder;
  const auto file = folder / "study.sqlite";
  Store::create(file, "request", 5);
  const pid_t process = in_another_process([&] { Store(file).claim(numbered); });
  ASSERT_TRUE(ended_well(process));

  Store store(file, /*stale_seconds=*/1e9);
  const auto claim = store.claim(numbered);

  ASSERT_TRUE(claim);
  EXPECT_EQ(claim->number, 0);
  EXPECT_EQ(claim->attempt, 2);
}

TEST(Store, LeavesTheTrialOfALivingWorkerAlone) {
  const TemporaryFolder folder;
  const auto file = folder / "study.sqlite";
  Store::create(file, "request", 2);
  Store store(file, 1e9);

  EXPECT_EQ(store.claim(numbered)->number, 0);
  EXPECT_EQ(store.claim(numbered)->number, 1);
  EXPECT_FALSE(store.claim(numbered));
  EXPECT_FALSE(store.all_finished());
}

TEST(Store, EndsTheClaimOfAWorkerThatWasSilent) {
  const TemporaryFolder folder;
  const auto file = folder / "study.sqlite";
  Store::create(file, "request", 1);
  Store slow(file);
  const Claim lost = *slow.claim(numbered);
  Store other(file, /*stale_seconds=*/-1);

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

TEST(Store, GivesAReleasedTrialToTheNext) {
  const TemporaryFolder folder;
  const auto file = folder / "study.sqlite";
  Store::create(file, "request", 3);
  Store store(file);
  const Claim first = *store.claim(numbered);
  store.record(first, 0, 0.25, [](const auto&) { return TrialState::running; });
  store.release(first);
  EXPECT_EQ(store.trials()[0].state, TrialState::waiting);

  const Claim again = *store.claim(numbered);

  EXPECT_EQ(again.number, first.number);
  EXPECT_THAT(store.trial(again).validation, ElementsAre(0.25));
}

TEST(Store, KeepsNothingOfATransactionThatFails) {
  const TemporaryFolder folder;
  const auto file = folder / "study.sqlite";
  Store::create(file, "request", 3);
  Store store(file);
  const Claim claim = *store.claim(numbered);

  EXPECT_THROW(store.record(claim, 0, 0.5, [](const auto&) -> TrialState { throw Failure("no"); }), Failure);

  EXPECT_TRUE(store.trials()[0].validation.empty());
  EXPECT_TRUE(store.record(claim, 0, 0.5, completed));
}

TEST(Store, RemembersWhyATrialFailed) {
  const TemporaryFolder folder;
  const auto file = folder / "study.sqlite";
  Store::create(file, "request", 1);
  Store store(file);

  store.fail(*store.claim(numbered), "it diverged");

  EXPECT_EQ(store.trials()[0].state, TrialState::failed);
  EXPECT_EQ(store.trials()[0].message, "it diverged");
  EXPECT_TRUE(store.all_finished());
}

TEST(Store, MayBeAskedForMoreTrialsButNotForFewerThanItHas) {
  const TemporaryFolder folder;
  const auto file = folder / "study.sqlite";
  Store::create(file, "request", 2);
  make_all(file, folder / "log");
  Store store(file);

  EXPECT_THROW(store.set_goal(1), UsageError);
  store.set_goal(4);

  EXPECT_FALSE(store.all_finished());
  EXPECT_EQ(store.claim(numbered)->number, 2);
}

TEST(Store, RefusesAnotherVersion) {
  const TemporaryFolder folder;
  const auto file = folder / "study.sqlite";
  Store::create(file, "request", 2);
  sqlite3* connection = nullptr;
  ASSERT_EQ(sqlite3_open(file.c_str(), &connection), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(connection, "PRAGMA user_version = 7", nullptr, nullptr, nullptr), SQLITE_OK);
  sqlite3_close(connection);

  EXPECT_THAT([&] { Store store(file); },
              ThrowsMessage<InvalidInput>(HasSubstr("is of version 7; this program reads version 1")));
}

/// Changes the database behind the store's back.
void change(const std::filesystem::path& file, const char* sql) {
  sqlite3* connection = nullptr;
  ASSERT_EQ(sqlite3_open(file.c_str(), &connection), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(connection, sql, nullptr, nullptr, nullptr), SQLITE_OK);
  sqlite3_close(connection);
}

TEST(Store, RefusesTrialsWithGaps) {
  const std::vector<std::pair<const char*, const char*>> cases{
      {"DELETE FROM trials WHERE number = 1", "trial 1 is missing; the next one is 2"},
      {"DELETE FROM trials WHERE number = 2", "there is a figure of trial 2, which is missing"},
      {"UPDATE trials SET number = -5 WHERE number = 0", "trial 0 is missing; the next one is -5"},
      {"UPDATE trials SET options = '[1]' WHERE number = 1",
       "the options of trial 1: the document is missing"},
      {"UPDATE trials SET options = '{' WHERE number = 1", "study: trial 1: byte 2: not JSON"},
      {"DROP TABLE figures", "not the database of a study, or damaged"}};
  for (const auto& [sql, says] : cases) {
    const TemporaryFolder folder;
    const auto file = folder / "study.sqlite";
    Store::create(file, "request", 3);
    make_all(file, folder / "log");
    change(file, sql);
    EXPECT_THAT([&] { Store(file).trials(); }, ThrowsMessage<InvalidInput>(HasSubstr(says))) << sql;
  }
}

TEST(Store, SaysThatAFileSystemHasNoLocksInsteadOfWaiting) {
  const TemporaryFolder folder;
  const auto file = folder / "study.sqlite";
  Store::create(file, "request", 3);
  EXPECT_TRUE(can_lock(folder.path()));
  const Database holder(file);
  holder.execute("BEGIN EXCLUSIVE");

  EXPECT_THAT(
      [&] {
        const Database other(file, Database::Open::existing,
                             [](const std::filesystem::path&) { return false; });
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
