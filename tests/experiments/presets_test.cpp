#include "dshn/experiments/presets.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "dshn/models/registry.hpp"
#include "support/temporary_folder.hpp"

namespace dshn::experiments {
namespace {

namespace fs = std::filesystem;

TEST(Presets, AreFoundByBuiltInNameAndModel) {
  const TemporaryFolder folder;
  fs::create_directories(folder / "telegram");
  fs::create_directories(folder / "mine");
  std::ofstream(folder / "telegram/dshn.toml") << "[set]\nlr = \"0.02\"\nd = \"3\"\n";
  std::ofstream(folder / "mine/dshn.toml") << "[set]\nlr = \"0.5\"\n";
  const auto found = [&](const char* data, const char* model) {
    train::Settings settings;
    settings.data = data;
    settings.model = model;
    return find_preset(folder.path(), settings);
  };

  ASSERT_TRUE(found("telegram", "dshn"));
  EXPECT_EQ(found("telegram", "dshn")->file, folder / "telegram/dshn.toml");
  EXPECT_EQ(found("telegram", "dshn")->set, (Assignments{{"lr", "0.02"}, {"d", "3"}}));
  EXPECT_FALSE(found("telegram", "hgnn"));
  EXPECT_FALSE(found("./telegram", "dshn")) << "a folder of that name is another data set";
  EXPECT_FALSE(found("mine", "dshn")) << "not a built-in data set";
  EXPECT_TRUE(find_preset(folder.path(), "mine", "dshn"));
  EXPECT_FALSE(find_preset({}, "telegram", "dshn"));
}

TEST(Presets, StandAboveTheSettingsAndAreRemembered) {
  train::Settings settings;
  settings.set = {{"lr", "0.1"}, {"epochs", "7"}};
  apply({"a/b.toml", {{"lr", "0.02"}, {"d", "3"}}}, settings);

  EXPECT_EQ(settings.set, (Assignments{{"lr", "0.02"}, {"epochs", "7"}, {"d", "3"}}));
  EXPECT_EQ(settings.preset, "a/b.toml");
}

TEST(Presets, GoWithTheProgram) {
  setenv("DSHN_SHARE_DIR", "/some/where", 1);
  EXPECT_EQ(preset_folder(), "/some/where/presets");
  unsetenv("DSHN_SHARE_DIR");
  // The tests lie where the program does.
  EXPECT_TRUE(find_preset(preset_folder(), "telegram", "dshn"));
}

/// What a default is today must not matter to a preset: those that were changed are named in all of them.
TEST(Presets, NameTheOptionsWhoseDefaultsAreNotThePapers) {
  int count = 0;
  for (const auto& file : fs::recursive_directory_iterator(preset_folder())) {
    if (file.path().extension() != ".toml") continue;
    ++count;
    const Assignments set = train::read_config(file.path()).set;
    for (const char* option : {"layers", "residual"}) EXPECT_TRUE(set.contains(option)) << file.path();
    train::Settings settings;
    settings.model = file.path().stem().string();
    settings.set = set;
    EXPECT_NO_THROW(settings.all_options()) << file.path();
  }
  EXPECT_GE(count, 30);
}

}  // namespace
}  // namespace dshn::experiments
