#include "dshn/base/system_memory.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "support/temporary_folder.hpp"

namespace dshn {
namespace {

constexpr std::int64_t kMiB = std::int64_t{1} << 20;

/// A machine of which only these files are known.
class Machine : public testing::Test {
 protected:
  void write(const std::string& path, const std::string& text) {
    const std::filesystem::path file = folder_.path() / path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }

  /// 1000 MiB left.
  void with_memory() { write("proc/meminfo", "MemTotal: 2048000 kB\nMemAvailable:    1024000 kB\n"); }

  std::int64_t available() const { return available_memory(folder_.path()); }
  std::int64_t left_of_addresses() const { return address_space_left(folder_.path()); }
  /// To a process that has its share.
  std::int64_t each_of(int processes) const {
    return available_memory(folder_.path(), memory_share(processes, folder_.path()));
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(Machine, ThatSaysNothingHasNoLimit) {
  EXPECT_EQ(available(), std::numeric_limits<std::int64_t>::max());
}

TEST_F(Machine, GivesWhatTheKernelHasLeft) {
  with_memory();
  EXPECT_EQ(available(), 1000 * kMiB);
}

TEST_F(Machine, GivesNoMoreThanTheControlGroupLeaves) {
  with_memory();
  write("proc/self/cgroup", "0::/job\n");
  write("sys/fs/cgroup/job/memory.max", std::to_string(500 * kMiB));
  write("sys/fs/cgroup/job/memory.current", std::to_string(300 * kMiB));
  EXPECT_EQ(available(), 200 * kMiB);
}

TEST_F(Machine, CountsCachedFilesOfAControlGroupAsFree) {
  with_memory();
  write("proc/self/cgroup", "0::/job\n");
  write("sys/fs/cgroup/job/memory.max", std::to_string(500 * kMiB));
  write("sys/fs/cgroup/job/memory.current", std::to_string(480 * kMiB));
  write("sys/fs/cgroup/job/memory.stat", "anon 1\ninactive_file " + std::to_string(400 * kMiB) + "\n");
  EXPECT_EQ(available(), 420 * kMiB);
}

TEST_F(Machine, HeedsLimitsOfTheGroupsAbove) {
  with_memory();
  write("proc/self/cgroup", "0::/user/session/job\n");
  write("sys/fs/cgroup/user/session/job/memory.max", "max\n");
  write("sys/fs/cgroup/user/session/job/memory.current", std::to_string(20 * kMiB));
  write("sys/fs/cgroup/user/memory.max", std::to_string(100 * kMiB));
  write("sys/fs/cgroup/user/memory.current", std::to_string(90 * kMiB));
  EXPECT_EQ(available(), 10 * kMiB);
}

TEST_F(Machine, InAContainerKnowsOnlyTheTopOfItsGroup) {
  with_memory();
  write("proc/self/cgroup", "0::/outside/pod/container\n");
  write("sys/fs/cgroup/memory.max", std::to_string(64 * kMiB));
  write("sys/fs/cgroup/memory.current", std::to_string(kMiB));
  EXPECT_EQ(available(), 63 * kMiB);
}

TEST_F(Machine, HeedsGroupsOfTheFirstVersion) {
  with_memory();
  write("proc/self/cgroup", "5:devices:/other\n4:hugetlb,memory:/pod/job\n0::/\n");
  write("sys/fs/cgroup/memory/pod/job/memory.limit_in_bytes", "9223372036854771712\n");
  write("sys/fs/cgroup/memory/pod/job/memory.usage_in_bytes", "4096\n");
  write("sys/fs/cgroup/memory/pod/memory.limit_in_bytes", std::to_string(80 * kMiB));
  write("sys/fs/cgroup/memory/pod/memory.usage_in_bytes", std::to_string(50 * kMiB));
  EXPECT_EQ(available(), 30 * kMiB);
}

TEST_F(Machine, HeedsTheSmallestLimitAlongTheWayUp) {
  with_memory();
  write("proc/self/cgroup", "0::/a/b/c\n");
  const auto group = [&](const std::string& path, std::int64_t limit, std::int64_t used) {
    write("sys/fs/cgroup/" + path + "memory.max", std::to_string(limit * kMiB) + "\n");
    write("sys/fs/cgroup/" + path + "memory.current", std::to_string(used * kMiB) + "\n");
  };
  group("", 900, 100);
  group("a/", 800, 500);
  group("a/b/", 600, 100);
  group("a/b/c/", 700, 50);
  EXPECT_EQ(available(), 300 * kMiB);
  group("a/b/", 200, 100);
  EXPECT_EQ(available(), 100 * kMiB);
  group("a/b/c/", 60, 50);
  EXPECT_EQ(available(), 10 * kMiB);
}

TEST_F(Machine, HeedsTheLimitsOfTheProcessLessWhatItUses) {
  with_memory();
  write("proc/self/status", "Name:\tdshn\nVmSize:\t  102400 kB\nVmData:\t   51200 kB\n");
  const std::string unlimited = "Max data size             unlimited            unlimited            bytes\n";
  write("proc/self/limits",
        unlimited + "Max address space         314572800            unlimited            bytes\n");
  EXPECT_EQ(available(), 200 * kMiB);
  EXPECT_EQ(left_of_addresses(), 200 * kMiB);

  write("proc/self/limits", "Max data size             104857600            unlimited            bytes\n");
  EXPECT_EQ(available(), 50 * kMiB);
}

TEST_F(Machine, IsSharedByProcessesAndTheirOwnLimitsAreNot) {
  EXPECT_EQ(each_of(4), std::numeric_limits<std::int64_t>::max());
  with_memory();
  EXPECT_EQ(each_of(4), 250 * kMiB);
  write("proc/self/status", "VmSize:\t  204800 kB\nRssAnon:\t   51200 kB\nVmData:\t   51200 kB\n");
  EXPECT_EQ(each_of(4), 200 * kMiB) << "each will hold 50 MiB before it trains";
  EXPECT_EQ(each_of(100), 0);
  write("proc/self/limits", "Max address space         314572800            unlimited            bytes\n");
  EXPECT_EQ(each_of(4), 100 * kMiB);
  EXPECT_EQ(each_of(8), 75 * kMiB);
}

TEST_F(Machine, NeverOwesMemory) {
  write("proc/self/cgroup", "0::/\n");
  write("sys/fs/cgroup/memory.max", "1000");
  write("sys/fs/cgroup/memory.current", "2000");
  EXPECT_EQ(available(), 0);
}

TEST(SystemMemory, GrowsItsPeakWithWhatIsHeld) {
  const double before = peak_mib();
  const std::vector<char> held(static_cast<std::size_t>(before + 64) * kMiB, 'x');
  EXPECT_GE(peak_mib(), before + 60) << held.back();
  EXPECT_GT(available_memory(), 0);
}

TEST(SystemMemory, ForgetsWholePagesAndNothingBesideThem) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  std::vector<std::byte> held(64 * page, std::byte{1});
  void* first = held.data();
  std::size_t room = held.size();
  ASSERT_NE(std::align(page, page, first, room), nullptr);
  const std::span<std::byte> pages(static_cast<std::byte*>(first), 8 * page);
  forget(pages.subspan(page / 2, 6 * page));  // five whole pages, from the second on
  const auto is_there = [&](std::size_t at) { return pages[at] == std::byte{1}; };
  EXPECT_TRUE(is_there(0) && is_there(page - 1));
  EXPECT_FALSE(is_there(page) || is_there(6 * page - 1));
  EXPECT_TRUE(is_there(6 * page) && is_there(8 * page - 1));
  forget(pages.subspan(6 * page + 1, 3));  // no whole page
  EXPECT_TRUE(is_there(6 * page + 1));
}

}  // namespace
}  // namespace dshn
