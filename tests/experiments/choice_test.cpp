// How the options of a cell are chosen: a study on other seeds than those that are reported.
#include "experiments/choice.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dshn/base/error.hpp"
#include "dshn/io/atomic_file.hpp"
#include "dshn/models/registry.hpp"
#include "dshn/train/settings.hpp"
#include "dshn/train/split_run.hpp"
#include "dshn/tune/store.hpp"
#include "dshn/tune/study.hpp"
#include "support/message_of.hpp"
#include "support/temporary_folder.hpp"

namespace dshn::experiments {
namespace {

using dshn::test::message_of;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Key;
using testing::Not;

/// A study of few, short trials on two seeds, reported on a third.
Recipe searching_recipe(const std::filesystem::path& folder) {
  Recipe recipe;
  recipe.splits = 1;
  recipe.seed = 100;
  recipe.trials = 4;
  recipe.search_splits = 2;
  recipe.search_seed = 3;
  recipe.search_seeds = 2;
  recipe.set = {{"epochs", "4"}, {"hidden_width", "8"}};
  recipe.folder = folder;
  recipe.command = "dshn reproduce synthetic";
  return recipe;
}

Cell searched_cell(const std::string& model, const Assignments& set = {}) {
  return {.data = "synthetic-generated-io10", .model = model, .set = set, .search = true};
}

std::filesystem::path study_of(const Recipe& recipe, const std::string& name) {
  return recipe.folder / "studies" / "synthetic-generated-io10" / name;
}

const char* const kStudy = "hgnn@epochs=4,hidden_width=8";

TEST(Choice, IsTheWinnerOfAStudyOnTheSearchSeeds) {
  const TemporaryFolder folder;
  const Recipe recipe = searching_recipe(folder.path());

  const Choice choice = choose_options(recipe, searched_cell("hgnn"), nullptr);

  const tune::Summary study = tune::Summary::read(study_of(recipe, kStudy));
  EXPECT_EQ(study.request.settings.seed, 3U);
  EXPECT_EQ(study.request.seeds, 2);
  EXPECT_EQ(study.request.objective, "steady");
  EXPECT_EQ(study.request.sampler, "tpe");
  EXPECT_TRUE(study.request.halving);
  EXPECT_EQ(study.finished(), 4);
  EXPECT_EQ(study.trials[0].set.at("lr"), "0.01") << "the defaults come first";
  EXPECT_EQ(choice.options, study.request.trial_settings(study.best()->set).set);
  EXPECT_EQ(choice.study["trials"], 4);
  EXPECT_DOUBLE_EQ(choice.study["validation"]["mean"], 100 * study.best()->figure().mean);
  const std::filesystem::path preset =
      folder / "presets" / "synthetic-generated-io10" / (std::string(kStudy) + ".toml");
  EXPECT_EQ(train::read_config(preset).set, choice.options);
  EXPECT_THAT(io::read_file(preset), HasSubstr("sampler tpe, seeds 3-4."));
  EXPECT_THAT(io::read_file(preset), HasSubstr("# dshn reproduce synthetic\n"));
}

TEST(Choice, ProposesTrialsAsItIsAskedTo) {
  const TemporaryFolder folder;
  Recipe recipe = searching_recipe(folder.path());
  recipe.sampler = "nearby";

  choose_options(recipe, searched_cell("hgnn"), nullptr);

  EXPECT_EQ(tune::Summary::read(study_of(recipe, kStudy)).request.sampler, "nearby");
  EXPECT_EQ(request_of(recipe, searched_cell("hgnn"))["search"]["sampler"], "nearby");
}

TEST(Choice, LooksAgainAtTheBestTrialsOnFreshSeeds) {
  const TemporaryFolder folder;
  Recipe recipe = searching_recipe(folder.path());
  recipe.confirm = 2;

  const Choice choice = choose_options(recipe, searched_cell("hgnn"), nullptr);

  const tune::Summary study = tune::Summary::read(study_of(recipe, kStudy));
  ASSERT_TRUE(study.confirmation);
  EXPECT_EQ(choice.study["confirmation_seeds"], "1003-1004");
  EXPECT_EQ(choice.study["confirmed"], study.confirmation->goal);
  EXPECT_EQ(choice.study["winner"], *study.confirmation->winner());
  EXPECT_EQ(choice.study["confirmation"]["n"], 2) << "as many splits as were searched on";
}

TEST(Choice, GoesOnAfterAStop) {
  const TemporaryFolder folder;
  const TemporaryFolder other;
  const Recipe recipe = searching_recipe(folder.path());
  const auto one_is_finished = [&] { return tune::Summary::read(study_of(recipe, kStudy)).finished() > 0; };
  EXPECT_THROW(choose_options(recipe, searched_cell("hgnn"), one_is_finished), train::Interrupted);
  const int finished = tune::Summary::read(study_of(recipe, kStudy)).finished();
  EXPECT_GT(finished, 0);
  EXPECT_LT(finished, 4);

  const Choice choice = choose_options(recipe, searched_cell("hgnn"), nullptr);

  const Choice whole = choose_options(searching_recipe(other.path()), searched_cell("hgnn"), nullptr);
  EXPECT_EQ(choice.options, whole.options);
  EXPECT_EQ(choice.study, whole.study);
}

TEST(Choice, OfMoreTrialsAddsToTheStudy) {
  const TemporaryFolder folder;
  Recipe recipe = searching_recipe(folder.path());
  choose_options(recipe, searched_cell("hgnn"), nullptr);
  const tune::Summary before = tune::Summary::read(study_of(recipe, kStudy));
  recipe.trials = 6;

  EXPECT_EQ(choose_options(recipe, searched_cell("hgnn"), nullptr).study["trials"], 6);

  const tune::Summary after = tune::Summary::read(study_of(recipe, kStudy));
  for (int i = 0; i < 4; ++i) EXPECT_EQ(after.trials[i].validation, before.trials[i].validation);
  recipe.search_seed = 20;
  EXPECT_THAT(message_of<UsageError>([&] { choose_options(recipe, searched_cell("hgnn"), nullptr); }),
              HasSubstr("holds a study that was asked for otherwise"));
}

TEST(Choice, StartsAtThePresetAndKeepsWhatIsHeld) {
  const TemporaryFolder folder;
  Recipe recipe = searching_recipe(folder / "out");
  recipe.presets = folder / "presets";
  recipe.trials = 2;
  std::filesystem::create_directories(recipe.presets / "synthetic-generated-io10");
  io::write_file(recipe.presets / "synthetic-generated-io10" / "hgnn.toml",
                 "[set]\nlr = \"0.003\"\nlayers = \"4\"\npatience = \"3\"\n");

  choose_options(recipe, searched_cell("hgnn", {{"layers", "2"}}), nullptr);

  const tune::StudyRequest request =
      tune::Summary::read(study_of(recipe, "hgnn@epochs=4,hidden_width=8,layers=2")).request;
  EXPECT_EQ(request.first[0].set.at("lr"), "0.003");
  EXPECT_EQ(request.settings.set.at("patience"), "3");
  EXPECT_EQ(request.settings.set.at("layers"), "2") << "what is held is above the preset";
  for (const tune::Parameter& parameter : request.space) {
    EXPECT_NE(parameter.name, "layers");
    EXPECT_NE(parameter.name, "hidden_width");
  }
}

TEST(Choice, OfARuleOrWithoutTrialsIsThePreset) {
  const TemporaryFolder folder;
  Recipe recipe = searching_recipe(folder.path());

  EXPECT_THAT(choose_options(recipe, searched_cell("components"), nullptr).options, IsEmpty());
  recipe.trials = 1;
  EXPECT_THAT(choose_options(recipe, searched_cell("hgnn"), nullptr).options, IsEmpty());
  EXPECT_FALSE(std::filesystem::exists(folder / "studies"));
}

TEST(Choice, TriesWhatStandsForFeaturesAndBothVariants) {
  const Recipe recipe = searching_recipe("");
  const auto values = [&](const std::string& data, const Assignments& set = {}) {
    return further_values(recipe, {.data = data, .model = "hgnn", .set = set, .search = true});
  };

  EXPECT_THAT(values("telegram").at("features"),
              ElementsAre("auto", "constant", "random", "role-degrees", "spectral"));
  EXPECT_THAT(values("texas").at("features"), ElementsAre("auto", "stored+role-degrees", "stored+spectral"));
  EXPECT_THAT(values("uspto-10k").at("features"), ElementsAre("auto", "stored+role-degrees"));
  EXPECT_THAT(values("texas").at("variant"), ElementsAre("paper", "authors"));
  EXPECT_THAT(values("texas", {{"features", "stored"}}), Not(Contains(Key("features"))));
  EXPECT_THAT(values("texas"), Not(Contains(Key("self_loops"))));
  EXPECT_THAT(values("texas"), Not(Contains(Key("input_dropout")))) << "HGNN has no such option";
  EXPECT_THAT(further_values(recipe, searched_cell("dhgnn")).at("self_loops"), ElementsAre("true", "false"));
  const auto of_dshn = [&](const std::string& data) {
    return further_values(recipe, {.data = data, .model = "dshn", .search = true});
  };
  EXPECT_THAT(of_dshn("texas").at("input_dropout"), ElementsAre("0", "0.2", "0.5", "0.8"));
  EXPECT_THAT(of_dshn("telegram"), Not(Contains(Key("input_dropout"))));
}

TEST(Choice, OnReportedSeedsIsRefusedWhereSplitsAreDrawn) {
  Recipe recipe = searching_recipe("");
  const auto said = [&](const std::string& data, const Assignments& set = {}) {
    return message_of<UsageError>(
        [&] { check_seeds(recipe, {{.data = data, .model = "hgnn", .set = set, .search = true}}); });
  };

  EXPECT_EQ(said("telegram"), "(no error)");
  recipe.seed = 4;
  EXPECT_THAT(said("telegram"),
              HasSubstr("telegram/hgnn: options would be chosen on splits of seeds 3-4, and seeds 4 are"));
  EXPECT_EQ(said("texas"), "(no error)") << "its splits are published";
  EXPECT_THAT(said("texas", {{"split", "random"}}), HasSubstr("seeds 3-4"));
  recipe.seed = 1004;
  EXPECT_EQ(said("telegram"), "(no error)");
  recipe.confirm = 1;
  EXPECT_THAT(said("telegram"), HasSubstr("seeds 1003-1004"));
  recipe.trials = 1;
  EXPECT_EQ(said("telegram"), "(no error)") << "nothing is searched";
}

}  // namespace
}  // namespace dshn::experiments
