// Completions and manual pages, made from what the commands declare.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "cli/learning_module.hpp"
#include "cli/subprocess.hpp"

namespace dshn::cli::test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::UnorderedElementsAre;

bool has_program(const std::string& name) {
  return std::system(("command -v " + name + " >/dev/null 2>&1").c_str()) == 0;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// Runs a shell command in the folder; its standard output and error together.
std::string output_of(const std::string& command, const Scratch& scratch) {
  const std::string file = scratch.at("output");
  const std::string line = "cd '" + scratch.path().string() + "' && (" + command + ") >'" + file + "' 2>&1";
  EXPECT_EQ(std::system(line.c_str()), 0) << read_file(file);
  std::string text = read_file(file);
  fs::remove(file);
  return text;
}

/// The commands of the program by their words, each with its flags, as --help names them.
std::map<std::string, std::set<std::string>> flags_of_all_commands(const Arguments& words = {}) {
  Arguments arguments = words;
  arguments.emplace_back("--help");
  const std::string help = dshn(arguments).out;
  std::map<std::string, std::set<std::string>> found;
  std::string name = "dshn";
  for (const std::string& word : words) name += ' ' + word;
  static const std::regex flag("^  (?:-[a-z],)?(--[a-z][a-z-]*)(?:\\{[a-z]*\\})?(?:,(--[a-z-]+))?");
  static const std::regex command("^  ([a-z]+) ");
  bool commands = false;
  for (const std::string& line : lines_of(help)) {
    std::smatch match;
    if (line.ends_with(':')) commands = line == "Subcommands:";
    if (commands && std::regex_search(line, match, command)) {
      Arguments below = words;
      below.push_back(match[1]);
      found.merge(flags_of_all_commands(below));
    }
    if (!std::regex_search(line, match, flag)) continue;
    for (std::size_t i = 1; i < match.size(); ++i)
      if (match[i].matched) found[name].insert(match[i]);
  }
  return found;
}

class Completion : public testing::Test {
 protected:
  std::string script(const std::string& shell) const {
    const Outcome outcome = dshn({"completion", shell});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return scratch_.file("script." + shell, outcome.out);
  }

  /// What bash offers for the last of these words.
  std::vector<std::string> offered(const std::string& words) const {
    return lines_of(output_of("bash -c '. ./script.bash; COMP_WORDS=(" + words +
                                  "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _dshn; "
                                  "((${#COMPREPLY[@]} == 0)) || printf \"%s\\n\" \"${COMPREPLY[@]}\"'",
                              scratch_));
  }

  const Scratch scratch_{};
};

TEST_F(Completion, OffersCommandsFlagsAndValuesInBash) {
  script("bash");
  scratch_.file("conclusions.csv", "");

  EXPECT_THAT(offered("dshn da"), ElementsAre("data"));
  EXPECT_THAT(offered("dshn data in"), ElementsAre("info"));
  EXPECT_THAT(offered("dshn data info --dr"), ElementsAre("--draw"));
  EXPECT_THAT(offered("dshn data info --on-conflict k"), UnorderedElementsAre("keep-tail", "keep-head"));
  EXPECT_THAT(offered("dshn data info --on-conflict = k"), UnorderedElementsAre("keep-tail", "keep-head"));
  EXPECT_THAT(offered("dshn data info --on-conflict ="), Contains("error"));
  EXPECT_THAT(offered("dshn data info co"), UnorderedElementsAre("cora", "cornell", "conclusions.csv"));
  EXPECT_THAT(offered("dshn data convert a.json concl"), ElementsAre("conclusions.csv"));
  EXPECT_THAT(offered("dshn data fetch con"), IsEmpty());
  EXPECT_THAT(offered("dshn data fetch squirrel cham"), Contains("chameleon"));
  EXPECT_THAT(offered("dshn data generate --nodes con"), IsEmpty());
  EXPECT_THAT(offered("dshn completion \"\""), ElementsAre("bash", "fish", "zsh"));
}

TEST_F(Completion, KnowsTheCommandsThatLearn) {
  if (!is_learning_command("train")) GTEST_SKIP() << "built without libtorch";
  script("bash");

  EXPECT_THAT(offered("dshn tr"), ElementsAre("train"));
  EXPECT_THAT(offered("dshn train --mo"), ElementsAre("--model"));
  EXPECT_THAT(offered("dshn train --model d"), Contains("dshn"));
  EXPECT_THAT(offered("dshn train --model d"), Not(Contains("hgnn")));
  EXPECT_THAT(offered("dshn train --json --data teleg"), ElementsAre("telegram"));
  EXPECT_THAT(offered("dshn train --device c"), ElementsAre("cpu", "cuda"));
  EXPECT_THAT(offered("dshn tune --sampler t"), ElementsAre("tpe"));
  EXPECT_THAT(offered("dshn reproduce q"), ElementsAre("q-effect"));
  EXPECT_THAT(offered("dshn train --only"), IsEmpty());  // hidden
}

TEST_F(Completion, ScriptsAreRightForTheirShells) {
  for (const auto& [shell, check] : {std::pair{"bash", "bash -n"}, {"fish", "fish -n"}, {"zsh", "zsh -n"}}) {
    script(shell);
    if (!has_program(shell)) continue;
    EXPECT_EQ(output_of(std::string(check) + " script." + shell, scratch_), "");
  }
  EXPECT_EQ(dshn({"completion", "tcsh"}).status, 2);
}

TEST_F(Completion, ScriptsHaveEveryCommandAndFlag) {
  const auto commands = flags_of_all_commands();
  ASSERT_GE(commands.size(), 9U);
  const std::string bash = read_file(script("bash"));
  const std::string fish = read_file(script("fish"));
  const std::string zsh = read_file(script("zsh"));
  for (const auto& [name, flags] : commands) {
    ASSERT_THAT(flags, Contains("--help")) << name;
    std::string function = '_' + name + "()";
    std::replace(function.begin(), function.end(), ' ', '_');
    const std::size_t begin = zsh.find(function);
    ASSERT_NE(begin, std::string::npos) << function;
    const std::string body = zsh.substr(begin, zsh.find("\n}\n", begin) - begin);
    for (const std::string& flag : flags) {
      EXPECT_TRUE(std::regex_search(bash, std::regex(fmt::format("\n +'{}'\\)[^\n]*[ ']{}[ ']", name, flag))))
          << name << flag;
      EXPECT_THAT(fish, HasSubstr(fmt::format("-n '__dshn_at {}' -l {} ", name, flag.substr(2))));
      EXPECT_TRUE(std::regex_search(body, std::regex(flag + "=?\\["))) << name << flag;
    }
  }
}

class Manual : public testing::Test {
 protected:
  void SetUp() override {
    const Outcome outcome = dshn({"man", "--out", scratch_.at("man1")});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
  }

  const Scratch scratch_{};
};

TEST_F(Manual, HasAPageOfEveryCommandWithItsFlags) {
  const auto commands = flags_of_all_commands();
  std::set<std::string> pages{"man1"};
  for (const auto& [name, flags] : commands) {
    std::string file = "man1/" + name + ".1";
    std::replace(file.begin(), file.end(), ' ', '-');
    pages.insert(file);
    const std::string page = std::regex_replace(read_file(scratch_.at(file)), std::regex("\\\\-"), "-");
    for (const std::string& flag : flags) EXPECT_THAT(page, HasSubstr("\\fB" + flag + "\\fR")) << name;
    EXPECT_THAT(page, AllOf(HasSubstr(".SH NAME\n"), HasSubstr(".SH EXIT STATUS\n"), HasSubstr("130")));
  }
  const std::vector<std::string> there = scratch_.contents();
  EXPECT_EQ(std::set<std::string>(there.begin(), there.end()), pages);
}

TEST_F(Manual, IsSetWithoutAWarning) {
  if (!has_program("groff")) GTEST_SKIP() << "there is no groff";
  for (const fs::directory_entry& page : fs::directory_iterator(scratch_.at("man1"))) {
    EXPECT_EQ(output_of("groff -man -ww -z -Tutf8 '" + page.path().string() + "'", scratch_), "");
    EXPECT_THAT(output_of("groff -man -Tascii -P-cbou '" + page.path().string() + "'", scratch_),
                HasSubstr("--help"));
  }
}

}  // namespace
}  // namespace dshn::cli::test
