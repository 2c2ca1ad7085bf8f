// Configuration files: what is written is read back, and what is doubtful is refused.
#include "dshn/train/settings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "dshn/base/error.hpp"
#include "support/temporary_folder.hpp"

namespace dshn::train {
namespace {

TEST(Settings, SurviveTheConfigurationFile) {
  const TemporaryFolder folder;
  for (const char* awkward : {"plain", "a # b", "#", "both ' and \"", "\"", "'quoted'", "new\nline", "a\ttab",
                              "back\\slash", "end\\", "a\\u0041b", " blanks, at both ends ", "[list]",
                              "a = b", "`tick`", "; x", "d\u00fc \u4e16", "\x7f", ""}) {
    Settings settings;
    settings.data = awkward;
    settings.splits = 7;
    settings.seed = 18446744073709551615ULL;
    settings.set = {{"q", "learn"}, {"features", awkward}};
    settings.reading = {{"labels", awkward}, {"sep", "tab"}};
    settings.preset = awkward;

    write_config(settings, folder / "config.toml");
    const Settings read = read_config(folder / "config.toml");

    EXPECT_EQ(read.data, settings.data) << awkward;
    EXPECT_EQ(read.splits, 7);
    EXPECT_EQ(read.seed, settings.seed);
    EXPECT_EQ(read.set, settings.set) << awkward;
    EXPECT_EQ(read.reading, settings.reading) << awkward;
    EXPECT_EQ(read.preset, settings.preset) << awkward;
  }
}

TEST(Settings, AreWrittenInUtf8Alone) {
  const TemporaryFolder folder;
  Settings settings;
  settings.data = "caf\xe9";
  EXPECT_THROW(write_config(settings, folder / "config.toml"), UsageError);
  EXPECT_FALSE(std::filesystem::exists(folder / "config.toml"));
}

TEST(Settings, WithADoubtIsRefused) {
  const TemporaryFolder folder;
  const auto error_of = [&](const std::string& text) -> std::string {
    std::ofstream(folder / "config.toml") << text;
    try {
      read_config(folder / "config.toml");
      return "none";
    } catch (const InvalidInput& error) {
      return error.what();
    }
  };
  using testing::HasSubstr;
  EXPECT_EQ(error_of("data = \"x\"  # a comment\n\n[set]\nlr = 0.1\n"), "none");
  EXPECT_THAT(error_of("splits = -3\n"), HasSubstr("splits = -3; expected a whole number from 0"));
  EXPECT_THAT(error_of("splits = 2147483648\n"), HasSubstr("from 0 to 2147483647"));
  EXPECT_THAT(error_of("splits = 1.5\n"), HasSubstr("splits = 1.5"));
  EXPECT_THAT(error_of("seed = 18446744073709551616\n"), HasSubstr("from 0 to 18446744073709551615"));
  EXPECT_THAT(error_of("sed = 1\n"), HasSubstr("unknown key 'sed'"));
  EXPECT_THAT(error_of("[other]\ndata = \"x\"\n"), HasSubstr("unknown key 'other.data'"));
  for (const char* twice : {"data = \"x\"\ndata = \"x\"\n", "data = \"x\"\nseed = 1\ndata = \"y\"\n",
                            "[set]\nq = 0\nlr = 1\nq = 0\n", "data = [\"x\", \"y\"]\n"})
    EXPECT_THAT(error_of(twice), HasSubstr("has several values or none")) << twice;
}

}  // namespace
}  // namespace dshn::train
