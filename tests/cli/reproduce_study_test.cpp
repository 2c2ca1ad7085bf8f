// dshn reproduce --trials, from outside: studies need SQLite.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/subprocess.hpp"

namespace dshn::cli::test {
namespace {

using testing::HasSubstr;

TEST(Reproduce, ChoosesOnSomeSeedsAndReportsOnOthers) {
  const Scratch scratch;
  const auto command = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words{
        "reproduce", "synthetic", "--data",   "synthetic-io10", "--models",
        "hgnn",      "--trials",  "3",        "--search-seeds", "2",
        "--quick",   "--set",     "epochs=3", "--out",          scratch.at("results")};
    words.insert(words.end(), more.begin(), more.end());
    return dshn(words);
  };
  const Outcome refused = command({});
  EXPECT_EQ(refused.status, 2);
  EXPECT_TRUE(refused.one_line()) << refused.err;
  EXPECT_THAT(refused.err, HasSubstr("report others, say --seed 100"));

  const Outcome made = command({"--seed", "100", "--confirm", "1", "--jobs", "2", "--json"});

  ASSERT_EQ(made.status, 0) << made.err;
  const nlohmann::json cell = made.json()["cells"][0];
  EXPECT_EQ(cell["splits"][0]["seed"], 100);
  EXPECT_EQ(cell["request"]["search"]["seeds"], "0-1");
  EXPECT_EQ(cell["study"]["trials"], 3);
  EXPECT_EQ(cell["study"]["confirmation_seeds"], "1000-1001");
  EXPECT_GT(made.json()["runtime"]["seconds"], 0);
  EXPECT_EQ(made.json()["name"], "synthetic@epochs=3");
  const std::string preset =
      read_file(scratch.path() / "results" / "presets" / "synthetic-io10" / "hgnn@epochs=3,patience=30.toml");
  EXPECT_THAT(
      preset,
      HasSubstr("# dshn reproduce synthetic --data synthetic-io10 --models hgnn --splits 10 "
                "--trials 3 --search-splits 10 --search-seed 0 --search-seeds 2 "
                "--sampler tpe --confirm 1 --set epochs=3 --seed 100 --device cpu --jobs 2 --quick\n"));
  EXPECT_EQ(command({"--seed", "100", "--confirm", "1", "--jobs", "2", "--json"}).json()["cells"],
            made.json()["cells"])
      << "it was made again";
}

}  // namespace
}  // namespace dshn::cli::test
