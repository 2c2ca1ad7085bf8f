#include "dshn/io/atomic_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <string>

#include "dshn/base/error.hpp"
#include "io/test_files.hpp"

namespace dshn::io {
namespace {

using test::get_file;
using test::message_of;
using test::put_file;
using testing::AllOf;
using testing::HasSubstr;

TEST(AtomicFile, AppearsCompleteOnCommit) {
  const TemporaryFolder folder;
  const std::string large(1 << 20, 'x');
  AtomicFile file(folder / "out");
  file.write("small ");
  file.write(large);
  file.write(std::as_bytes(std::span("!", 1)));
  EXPECT_FALSE(std::filesystem::exists(folder / "out"));

  file.commit();

  EXPECT_EQ(get_file(folder / "out"), "small " + large + "!");
  EXPECT_EQ(file.size(), static_cast<std::int64_t>(large.size()) + 7);
  EXPECT_EQ(test::file_count(folder), 1U);
}

TEST(AtomicFile, LeavesNothingWithoutCommit) {
  const TemporaryFolder folder;
  put_file(folder / "out", "old");
  {
    AtomicFile file(folder / "out");
    file.write(std::string(1 << 20, 'x'));
  }
  EXPECT_EQ(get_file(folder / "out"), "old");
  EXPECT_EQ(test::file_count(folder), 1U);
}

TEST(AtomicFile, RemovesWhatAKilledProgramLeft) {
  const TemporaryFolder folder;
  for (const char* left : {".out.0123456789abcdef.tmp", ".out.4711-0.tmp"}) put_file(folder / left, "half");
  std::filesystem::create_directories(folder / ".out.00000000000000ff.tmp" / "inside");
  for (const char* other : {".out.notes.tmp", ".other.0123456789abcdef.tmp", "out.0123456789abcdef.tmp"})
    put_file(folder / other, "somebody else's");

  write_file(folder / "out", "whole");

  EXPECT_EQ(get_file(folder / "out"), "whole");
  EXPECT_EQ(test::file_count(folder), 4U);
}

TEST(AtomicFile, LeavesWhatALivingProgramIsAtAlone) {
  const TemporaryFolder folder;
  AtomicFile slow(folder / "out");
  slow.write("slow");
  AtomicFolder building(folder / "out");

  write_file(folder / "out", "fast");
  EXPECT_EQ(get_file(folder / "out"), "fast");
  EXPECT_TRUE(std::filesystem::is_directory(building.temporary()));
  slow.commit();

  EXPECT_EQ(get_file(folder / "out"), "slow");
}

TEST(AtomicFile, HasANameThatNobodyKnowsBefore) {
  const TemporaryFolder folder;
  const AtomicFolder one(folder / "out");
  const AtomicFolder other(folder / "out");
  const std::string name = one.temporary().filename().string();
  EXPECT_EQ(name.size(), std::string(".out.0123456789abcdef.tmp").size());
  EXPECT_NE(name, other.temporary().filename().string());
}

TEST(AtomicFile, FollowsLinksAndKeepsTheMode) {
  const TemporaryFolder folder;
  put_file(folder / "target", "old");
  ASSERT_EQ(::chmod((folder / "target").c_str(), 0640), 0);
  std::filesystem::create_symlink(folder / "target", folder / "link");

  write_file(folder / "link", "new");

  EXPECT_EQ(get_file(folder / "target"), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  struct stat status {};
  ASSERT_EQ(::stat((folder / "target").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0640U);
}

TEST(AtomicFile, NamesPathAndReasonWhereItCannotCreate) {
  const TemporaryFolder folder;
  put_file(folder / "file", "");
  const auto below_file = message_of<Failure>([&] { AtomicFile file(folder / "file/out"); });
  EXPECT_THAT(below_file.value_or(""), AllOf(HasSubstr("file/out"), HasSubstr("Not a directory")));
  const auto no_folder = message_of<Failure>([&] { AtomicFile file(folder / "none/out"); });
  EXPECT_THAT(no_folder.value_or(""), HasSubstr("No such file or directory"));
  const auto on_folder = message_of<Failure>([&] { AtomicFile file(folder.path()); });
  EXPECT_THAT(on_folder.value_or(""), HasSubstr("Is a directory"));
}

TEST(AtomicFile, ReportsADeviceThatIsFull) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  const auto message = message_of<Failure>([] { write_file("/dev/full", "x"); });
  EXPECT_THAT(message.value_or(""), AllOf(HasSubstr("/dev/full"), HasSubstr("No space left on device")));
}

/// Files of this process may not grow beyond a size while the guard lives.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &old_);
    const rlimit limit{bytes, old_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &old_);
    std::signal(SIGXFSZ, handler_);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  rlimit old_{};
  void (*handler_)(int);
};

TEST(AtomicFile, LeavesTheOldFileWhenTheDiskRunsOut) {
  const TemporaryFolder folder;
  put_file(folder / "out", "old");
  std::optional<std::string> message;
  {
    const FileSizeLimit limit(1 << 16);
    message = message_of<Failure>([&] { write_file(folder / "out", std::string(1 << 20, 'x')); });
  }
  EXPECT_THAT(message.value_or(""), AllOf(HasSubstr("out: cannot write"), HasSubstr("File too large")));
  EXPECT_EQ(get_file(folder / "out"), "old");
  EXPECT_EQ(test::file_count(folder), 1U);
}

}  // namespace
}  // namespace dshn::io
