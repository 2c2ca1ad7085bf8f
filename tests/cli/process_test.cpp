#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <cstdlib>
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
