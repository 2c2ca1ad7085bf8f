#include "dshn/io/file_system.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "dshn/base/error.hpp"
#include "dshn/io/atomic_file.hpp"
#include "io/test_files.hpp"

namespace dshn::io {
namespace {

using test::get_file;
using test::message_of;
using test::put_file;
using testing::HasSubstr;

/// No test leaves a plan to the next.
struct Plan {
  Plan(Fault fault, std::int64_t at, int error) { plan_fault(fault, at, error); }
  ~Plan() { plan_fault(Fault::none, 0, 0); }
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;
};

std::int64_t calls_of_a_replacement(const TemporaryFolder& folder) {
  put_file(folder / "out", "old");
  const Plan plan(Fault::none, 0, 0);
  write_file(folder / "out", "new");
  return fault_record().calls;
}

TEST(FileSystem, AFileIsTheOldOrTheNewOneWhereverACallFails) {
  const TemporaryFolder folder;
  const std::int64_t calls = calls_of_a_replacement(folder);
  ASSERT_GE(calls, 5);  // create, mode, write, flush, rename
  for (const Fault fault : {Fault::fail, Fault::full}) {
    for (std::int64_t k = 1; k <= calls; ++k) {
      put_file(folder / "out", "old");
      std::optional<std::string> message;
      {
        const Plan plan(fault, k, ENOSPC);
        message = message_of<Failure>([&] { write_file(folder / "out", "new"); });
      }
      EXPECT_EQ(get_file(folder / "out"), message ? "old" : "new") << "call " << k;
      EXPECT_THAT(message.value_or("out: cannot"), HasSubstr("out: cannot")) << "call " << k;
      EXPECT_EQ(test::file_count(folder), 1U) << "call " << k;
    }
  }
}

TEST(FileSystem, AFileIsTheOldOrTheNewOneWhereverTheProcessEnds) {
  const TemporaryFolder folder;
  const std::int64_t calls = calls_of_a_replacement(folder);
  int old_ones = 0;
  for (std::int64_t k = 1; k <= calls; ++k) {
    put_file(folder / "out", "old");
    const pid_t process = fork();
    if (process == 0) {
      plan_fault(Fault::end, k, 0);
      write_file(folder / "out", "new");
      _exit(0);
    }
    int state = 0;
    ASSERT_EQ(waitpid(process, &state, 0), process);
    EXPECT_TRUE(WIFSIGNALED(state) && WTERMSIG(state) == SIGKILL) << "call " << k;
    const std::string found = get_file(folder / "out");
    EXPECT_TRUE(found == "old" || found == "new") << "call " << k << ": " << found;
    old_ones += found == "old" ? 1 : 0;

    write_file(folder / "out", "next");
    EXPECT_EQ(get_file(folder / "out"), "next");
    EXPECT_EQ(test::file_count(folder), 1U) << "call " << k << ": something is left";
  }
  EXPECT_GT(old_ones, 3);
  EXPECT_LT(old_ones, calls);
}

TEST(FileSystem, AWriteMayBeShort) {
  const TemporaryFolder folder;
  const std::string text(1000, 'x');
  bool happened = false;
  for (std::int64_t k = 1; k <= 6; ++k) {
    const Plan plan(Fault::cut, k, 0);
    write_file(folder / "out", text);
    EXPECT_EQ(get_file(folder / "out"), text);
    happened |= fault_record().happened;
  }
  EXPECT_TRUE(happened);
}

TEST(FileSystem, MakesAndRemovesFoldersOrNamesTheReason) {
  const TemporaryFolder folder;
  make_folders(folder / "a/b/c");
  make_folders(folder / "a/b/c/");
  put_file(folder / "a/b/c/file", "x");
  put_file(folder / "elsewhere", "x");
  std::filesystem::create_symlink(folder / "elsewhere", folder / "a/link");
  EXPECT_THAT(message_of<Failure>([&] { make_folders(folder / "a/b/c/file/d"); }).value_or(""),
              HasSubstr("cannot be created: Not a directory"));
  {
    const Plan plan(Fault::fail, 2, EIO);
    EXPECT_THAT(message_of<Failure>([&] { remove_tree(folder / "a"); }).value_or(""),
                HasSubstr("cannot be removed: Input/output error"));
  }

  remove_tree(folder / "a");
  remove_tree(folder / "a");

  EXPECT_FALSE(std::filesystem::exists(folder / "a"));
  EXPECT_EQ(get_file(folder / "elsewhere"), "x");
}

}  // namespace
}  // namespace dshn::io
