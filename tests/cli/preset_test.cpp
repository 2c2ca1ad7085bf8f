// dshn train --preset, from outside.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/subprocess.hpp"

namespace dshn::cli::test {
namespace {

using testing::HasSubstr;
using testing::Not;

/// A share folder with a preset for a generated set.
class Presets : public testing::Test {
 protected:
  Presets() {
    scratch_.file("share/presets/synthetic-generated-io10/hgnn.toml",
                  "[set]\nepochs = \"3\"\nhidden_width = \"4\"\n");
  }

  Outcome train(const std::string& run, const Arguments& more) const {
    Arguments arguments{"train",     "--model", "hgnn",  "--device",      "cpu",
                        "--threads", "1",       "--out", scratch_.at(run)};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return dshn(arguments, {{"DSHN_SHARE_DIR=" + scratch_.at("share")}});
  }

  const Scratch scratch_;
  const Arguments built_in_{"--data", "synthetic-generated-io10", "--splits", "1", "--json", "--quiet"};
};

TEST_F(Presets, OfABuiltInSetAreUsedWithALine) {
  const Outcome outcome = train("run", built_in_);

  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_TRUE(outcome.one_line()) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("presets/synthetic-generated-io10/hgnn.toml; --preset none"));
  EXPECT_EQ(outcome.json()["set"]["hidden_width"], "4");
  EXPECT_THAT(outcome.json()["preset"].get<std::string>(),
              testing::EndsWith("synthetic-generated-io10/hgnn.toml"));
  EXPECT_THAT(read_file(scratch_.at("run/config.toml")), HasSubstr("preset = "));
}

TEST_F(Presets, StandBelowWhatIsTyped) {
  Arguments more = built_in_;
  more.insert(more.end(), {"--set", "hidden_width=6"});
  const Outcome outcome = train("run", more);

  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.json()["set"]["hidden_width"], "6");
  EXPECT_EQ(outcome.json()["set"]["epochs"], "3");
}

TEST_F(Presets, AreNotUsedWhereNobodyMadeOne) {
  for (const Arguments& more : {Arguments{"--preset", "none", "--set", "epochs=2"},
                                Arguments{"--model", "hnhn", "--set", "epochs=2"}}) {
    Arguments all = built_in_;
    all.insert(all.end(), more.begin(), more.end());
    Arguments arguments{"train", "--device", "cpu", "--threads", "1", "--out", scratch_.at(more[1])};
    arguments.insert(arguments.end(), all.begin(), all.end());
    const Outcome outcome = dshn(arguments, {{"DSHN_SHARE_DIR=" + scratch_.at("share")}});

    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    EXPECT_TRUE(outcome.json()["preset"].is_null());
    EXPECT_FALSE(outcome.json()["set"].contains("hidden_width"));
  }
}

TEST_F(Presets, AreNotAppliedTwice) {
  ASSERT_EQ(train("run", built_in_).status, 0);
  scratch_.file("share/presets/synthetic-generated-io10/hgnn.toml", "[set]\nhidden_width = \"16\"\n");

  const Outcome resumed = dshn({"train", "--resume", "--out", scratch_.at("run"), "--json", "--quiet"},
                               {{"DSHN_SHARE_DIR=" + scratch_.at("share")}});
  ASSERT_EQ(resumed.status, 0) << resumed.err;
  EXPECT_EQ(resumed.json()["set"]["hidden_width"], "4");
  EXPECT_EQ(resumed.err, "");

  const Outcome again = train("again", {"--config", scratch_.at("run/config.toml"), "--json", "--quiet"});
  ASSERT_EQ(again.status, 0) << again.err;
  EXPECT_EQ(again.json()["set"], resumed.json()["set"]);
  EXPECT_EQ(again.json()["preset"], resumed.json()["preset"]);
  EXPECT_EQ(again.err, "");
}

TEST_F(Presets, MayBeFiles) {
  const std::string file = scratch_.file("mine.toml", "[set]\nhidden_width = \"5\"\nepochs = \"2\"\n");
  Arguments more = built_in_;
  more.insert(more.end(), {"--preset", file});
  const Outcome outcome = train("run", more);
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.json()["set"]["hidden_width"], "5");
  EXPECT_EQ(outcome.json()["preset"], file);

  more.back() = scratch_.at("nowhere.toml");
  const Outcome refused = train("other", more);
  EXPECT_EQ(refused.status, 2);
  EXPECT_TRUE(refused.one_line()) << refused.err;
  EXPECT_THAT(refused.err, HasSubstr("expected auto, none or a file"));
}

TEST(PapersFigure, StandsBesideThePapersProtocolAlone) {
  const Scratch scratch;
  const auto table = [&](const std::string& run, const Arguments& more) {
    Arguments arguments{"train",    "--data",  "synthetic-generated-io10",
                        "--model",  "hgnn",    "--set",
                        "epochs=1", "--quiet", "--device",
                        "cpu",      "--out",   scratch.at(run)};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return dshn(arguments).out;
  };
  EXPECT_THAT(table("ten", {}), HasSubstr("(paper: 47.12 ± 5.37)"));
  EXPECT_THAT(table("two", {"--splits", "2"}), Not(HasSubstr("paper:")));
  EXPECT_THAT(table("constant", {"--set", "features=constant"}), Not(HasSubstr("paper:")));
}

}  // namespace
}  // namespace dshn::cli::test
