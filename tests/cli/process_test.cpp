#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>

#include "cli/subprocess.hpp"

namespace dshn::cli::test {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Waits until the program has begun to write into the folder, and interrupts it there.
void expect_clean_interrupt(const std::string& out) {
  const Scratch scratch, output;
  const pid_t process = start_dshn({"data", "generate", "--kind", "random", "--nodes", "200000",
                                    "--hyperedges", "400000", "--out", scratch.at(out)},
                                   {}, output.path());
  // Generating is quick; packing some four million incidences into a file takes seconds.
  while (scratch.contents().empty()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  kill(process, SIGINT);

  EXPECT_EQ(wait_for(process), 128 + SIGINT);
  EXPECT_THAT(scratch.contents(), testing::IsEmpty());
  EXPECT_EQ(read_file(output.path() / "stderr"), "dshn: interrupted; nothing half-written is left\n");
  EXPECT_EQ(read_file(output.path() / "stdout"), "");
}

TEST(Interrupt, LeavesNoFile) {
  expect_clean_interrupt("big.hif.json.gz");
}

TEST(Interrupt, LeavesNoFolder) {
  expect_clean_interrupt("big");
}

TEST(Memory, ThatIsNotThereIsAFailureInOneLine) {
  if (kSanitized) GTEST_SKIP() << "sanitizers reserve more address space than any limit";
  const Scratch scratch;

  const Outcome outcome = dshn({"data", "generate", "--kind", "random", "--nodes", "50000000", "--hyperedges",
                                "50000000", "--out", scratch.at("big.hif.json")},
                               {.memory_limit = std::uint64_t{1} << 32});

  EXPECT_EQ(outcome.status, 1) << outcome.err;
  // Where that takes long, lines of progress stand before the one line.
  EXPECT_THAT(outcome.err, testing::ContainsRegex("(^|\n)dshn: [^\n]*memory[^\n]*\n$"));
  EXPECT_THAT(scratch.contents(), testing::IsEmpty());
}

std::size_t threads_of(pid_t process) {
  std::error_code gone;
  const std::filesystem::directory_iterator threads("/proc/" + std::to_string(process) + "/task", gone);
  return gone ? 0 : static_cast<std::size_t>(std::distance(begin(threads), end(threads)));
}

TEST(Threads, AreAsManyAsThereAreCores) {
  const Scratch scratch, output;
  const pid_t process = start_dshn(
      {"train", "--data", "synthetic-generated-io10", "--model", "dshn", "--splits", "1", "--device", "cpu",
       "--set", "epochs=1000000", "--set", "patience=1000000", "--quiet", "--out", scratch.at("run")},
      {.environment = {"OMP_NUM_THREADS", "DSHN_NUM_THREADS"}}, output.path());
  const std::size_t expected = std::thread::hardware_concurrency() + 1;  // one waits for signals
  std::size_t seen = 0;
  for (int look = 0; look < 6000 && seen < expected; ++look) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    seen = std::max(seen, threads_of(process));
  }
  kill(process, SIGKILL);
  wait_for(process);
  EXPECT_GE(seen, expected);
}

TEST(Terminal, ColoursOnATerminalOnly) {
  EXPECT_THAT(dshn_on_terminal({"data", "list"}).out, HasSubstr("\x1b["));
  EXPECT_THAT(dshn_on_terminal({"data", "list"}, {.environment = {"NO_COLOR=1"}}).out,
              Not(HasSubstr("\x1b[")));
  EXPECT_THAT(dshn_on_terminal({"data", "list"}, {.environment = {"TERM=dumb"}}).out,
              Not(HasSubstr("\x1b[")));
  EXPECT_THAT(dshn({"data", "list"}).out, Not(HasSubstr("\x1b")));
}

TEST(Terminal, LongWorkShowsThatItGoesOn) {
  const Scratch scratch;
  const Arguments slow{"data",   "generate",     "--kind", "random", "--nodes",
                       "200000", "--hyperedges", "400000", "--out",  scratch.at("big.json.gz")};

  const Outcome watched = dshn_on_terminal(slow);

  EXPECT_EQ(watched.status, 0);
  EXPECT_THAT(watched.out, HasSubstr("generating"));
  EXPECT_THAT(watched.out, HasSubstr("\r\x1b[J"));
  EXPECT_THAT(dshn({"data", "info", scratch.at("big.json.gz"), "--json"}).err, Not(HasSubstr("\x1b")));
}

TEST(Output, AReaderThatGoesAwayIsNoError) {
  const std::string command = std::string(DSHN_PROGRAM) + " data list --json | true; exit ${PIPESTATUS[0]}";
  EXPECT_EQ(std::system(("bash -c '" + command + "'").c_str()), 0);
}

TEST(Output, AFullDiskIsAFailure) {
  const Scratch scratch;
  const std::string command = std::string(DSHN_PROGRAM) + " data list >/dev/full 2>" + scratch.at("stderr");
  EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 1);
  EXPECT_THAT(read_file(scratch.at("stderr")), HasSubstr("standard output"));
}

}  // namespace
}  // namespace dshn::cli::test
