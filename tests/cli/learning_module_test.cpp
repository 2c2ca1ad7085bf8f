// The commands that learn bring libtorch with them; the others start without it.
#include "cli/learning_module.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <string>
#include <utility>
#include <vector>

#include "cli/subprocess.hpp"

namespace dshn::cli::test {
namespace {

using testing::HasSubstr;
using testing::Not;

/// The names of the libraries that the program looks for, as the dynamic linker tells them.
std::string libraries_of(const Arguments& arguments) {
  const Scratch scratch;
  dshn(arguments, {.environment = {"LD_DEBUG=libs", "LD_DEBUG_OUTPUT=" + scratch.at("ld")}});
  std::string text;
  for (const std::string& file : scratch.contents()) text += read_file(scratch.at(file));
  EXPECT_THAT(text, HasSubstr("libdshn_data"));
  return text;
}

TEST(LearningModule, IsNotLoadedWhereNothingIsLearnt) {
  const Scratch scratch;
  const std::string file = scratch.file("a.json", R"({"incidences":[{"edge":0,"node":0}]})");
  for (const Arguments& arguments :
       {Arguments{"--version"}, Arguments{"--help"}, Arguments{}, Arguments{"trian"},
        Arguments{"data", "list"}, Arguments{"data", "info", file},
        Arguments{"data", "convert", file, scratch.at("b.tsv")}}) {
    EXPECT_THAT(libraries_of(arguments), Not(HasSubstr("libtorch"))) << testing::PrintToString(arguments);
  }
}

using Lines = std::vector<std::pair<std::string, std::string>>;

Lines commands_of(const CLI::App& app) {
  Lines lines;
  for (const CLI::App* command : app.get_subcommands({}))
    lines.emplace_back(command->get_name(), command->get_description());
  return lines;
}

class Learning : public testing::Test {
 protected:
  void SetUp() override {
    if (!is_learning_command("train")) GTEST_SKIP() << "built without libtorch";
  }
};

TEST_F(Learning, CommandsLoadIt) {
  EXPECT_THAT(libraries_of({"train", "--help"}), HasSubstr("libtorch"));
}

TEST_F(Learning, CommandsAreAnnouncedAsTheModuleDeclaresThem) {
  Context context;
  CLI::App announced;
  CLI::App declared;
  announce_learning_commands(announced);
  load_learning_commands(declared, context);

  EXPECT_EQ(commands_of(announced), commands_of(declared));
  EXPECT_GE(commands_of(announced).size(), 7U);
}

TEST_F(Learning, CommandsAreInTheHelpOfTheProgramAndSuggested) {
  EXPECT_THAT(dshn({"--help"}).out, HasSubstr(summary_of("predict")));
  const Outcome outcome = dshn({"trian", "--data", "cora"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.err, "dshn: dshn has no command 'trian'; did you mean train?\n");
}

}  // namespace
}  // namespace dshn::cli::test
