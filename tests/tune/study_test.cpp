#include "dshn/tune/study.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "dshn/base/error.hpp"
#include "dshn/hypergraph/builder.hpp"
#include "dshn/io/hif.hpp"
#include "dshn/io/npz.hpp"
#include "dshn/train/split_run.hpp"
#include "dshn/tune/store.hpp"
#include "dshn/tune/usable.hpp"
#include "support/temporary_folder.hpp"
#include "tune/small_study.hpp"

namespace dshn::tune {
namespace {

using test::new_study;
using test::small_request;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::vector<std::vector<double>> figures_of(const Summary& summary) {
  std::vector<std::vector<double>> figures;
  for (const Trial& trial : summary.trials) figures.push_back(trial.validation);
  return figures;
}

TEST(StudyRequest, KnowsWhatItsFiguresAre) {
  StudyRequest request = small_request();
  EXPECT_EQ(request.figure_text({0.875, 0.01}), "87.50 ± 1.00") << "a study of 0.1 has shares";

  request.judge_by("r2");

  EXPECT_EQ(StudyRequest::from_text(request.to_text()).metric, "r2");
  EXPECT_EQ(request.figure_text({0.875, 0.01}), "0.875 ± 0.01");
  try {
    request.judge_by("rmse");
    ADD_FAILURE() << "the largest error won";
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("metric rmse"));
  }
}

TEST(StudyRequest, AMetricThatIsNoWordIsRefused) {
  std::string text = small_request().to_text();
  const std::size_t at = text.find(R"("metric":"")");
  ASSERT_NE(at, std::string::npos);
  text.replace(at, 11, R"("metric":[])");

  EXPECT_THROW(StudyRequest::from_text(text), InvalidInput);
}

TEST(Study, FinishesAllTrialsAndKnowsTheBest) {
  const TemporaryFolder folder;
  StudyRequest request = small_request();
  request.halving = false;

  work(new_study(folder, request, 5), nullptr);

  const Summary summary = Summary::read(folder.path());
  EXPECT_EQ(summary.finished(), 5);
  ASSERT_NE(summary.best(), nullptr);
  for (const Trial& trial : summary.trials) {
    EXPECT_EQ(trial.validation.size(), 2U);
    EXPECT_LE(trial.figure().mean, summary.best()->figure().mean);
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder / "trials"));
}

/// Two rings of people, by parity, as a data set on disk.
void write_rings(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  HypergraphBuilder builder;
  std::vector<std::int64_t> classes;
  for (int i = 0; i < 20; ++i) {
    for (const int member : {i, (i + 2) % 20, (i + 4) % 20})
      builder.incidence(Name::integer(i), Name::integer(member), member == i ? Role::tail : Role::head);
  }
  const Hypergraph hypergraph = builder.build();
  for (Index v = 0; v < 20; ++v) classes.push_back(std::stoi(hypergraph.node_names()[v].text) % 2);
  io::write_hif(hypergraph, folder / "hypergraph.hif.json");
  io::write_npz(folder / "nodes.npz", {{"y", io::Array::of(classes, {20})}});
}

TEST(Study, OfTwentyTrialsReadsItsDataOnce) {
  const TemporaryFolder folder;
  const TemporaryFolder data;
  write_rings(data / "rings");
  StudyRequest request = small_request();
  request.settings.data = (data / "rings").string();
  int asked = 0;

  // Asked before the first trial, and after every epoch: by the second time the data have been read.
  work(new_study(folder, request, 20), [&] {
    if (++asked == 2) std::filesystem::remove_all(data / "rings");
    return false;
  });

  EXPECT_FALSE(std::filesystem::exists(data / "rings"));
  EXPECT_EQ(Summary::read(folder.path()).finished(), 20);
  EXPECT_EQ(Summary::read(folder.path()).count(TrialState::failed), 0);
}

TEST(Study, JudgesByTheEpochsAroundTheBestOneWhereAsked) {
  const TemporaryFolder folder;
  const TemporaryFolder other;
  StudyRequest request = small_request();
  request.halving = false;
  request.settings.set["epochs"] = "30";
  work(new_study(folder, request, 2), nullptr);
  request.objective = "steady";
  work(new_study(other, request, 2), nullptr);

  const Trial best = Summary::read(folder.path()).trials[0];
  const Trial steady = Summary::read(other.path()).trials[0];
  EXPECT_EQ(best.set, steady.set);
  for (std::size_t split = 0; split < 2; ++split) EXPECT_LT(steady.validation[split], best.validation[split]);
  EXPECT_THAT(preset_text(Summary::read(other.path()), ""),
              HasSubstr("mean of the epochs around the best one"));
}

TEST(Study, BeginsWithEveryConfigurationThatItIsGiven) {
  const TemporaryFolder folder;
  StudyRequest request = small_request();
  request.first = {{assignments(request.space, configuration_at(request.space, 5)), "a.toml"},
                   {assignments(request.space, configuration_at(request.space, 2)), "b.toml"}};

  work(new_study(folder, request, 3), nullptr);

  const Summary summary = Summary::read(folder.path());
  EXPECT_EQ(summary.trials[0].set, request.first[0].set);
  EXPECT_EQ(summary.trials[1].set, request.first[1].set);
  EXPECT_EQ(summary.finished(), 3);
}

TEST(Study, StopsHopelessTrialsAfterOneSplit) {
  const TemporaryFolder folder;

  work(new_study(folder, small_request(), 9), nullptr);

  const Summary summary = Summary::read(folder.path());
  EXPECT_EQ(summary.finished(), 9);
  EXPECT_GT(summary.count(TrialState::pruned), 0);
  EXPECT_GT(summary.count(TrialState::completed), 0);
  for (const Trial& trial : summary.trials)
    EXPECT_EQ(trial.validation.size(), trial.state == TrialState::pruned ? 1U : 2U);
}

TEST(Study, GoesOnAfterAStopToTheSameFigures) {
  const TemporaryFolder folder;
  new_study(folder, small_request(), 4);
  int asked = 0;
  EXPECT_THROW(work(folder.path(), [&] { return ++asked >= 12; }), train::Interrupted);
  EXPECT_EQ(Summary::read(folder.path()).count(TrialState::waiting), 1);

  work(folder.path(), nullptr);

  const TemporaryFolder whole;
  work(new_study(whole, small_request(), 4), nullptr);
  EXPECT_EQ(figures_of(Summary::read(folder.path())), figures_of(Summary::read(whole.path())));
}

TEST(Study, TakesItsSplitsFromSeveralSeedsInTurn) {
  const TemporaryFolder folder;
  StudyRequest request = small_request();
  request.halving = false;
  request.settings.splits = 3;
  request.settings.seed = 5;
  request.seeds = 2;
  request.first = {{assignments(request.space, configuration_at(request.space, 5)), "a.toml"}};

  work(new_study(folder, request, 1), nullptr);

  const std::vector<double> figures = Summary::read(folder.path()).trials[0].validation;
  ASSERT_EQ(figures.size(), 3U);
  request.seeds = 1;
  for (const std::uint64_t seed : {5U, 6U}) {
    const TemporaryFolder alone;
    request.settings.seed = seed;
    work(new_study(alone, request, 1), nullptr);
    const std::vector<double> all = Summary::read(alone.path()).trials[0].validation;
    for (std::size_t split = seed - 5; split < 3; split += 2) EXPECT_EQ(figures[split], all[split]) << split;
  }
}

TEST(Study, ADivergedTrainingIsAFailedTrialWithItsMessage) {
  const TemporaryFolder folder;
  StudyRequest request = small_request();
  // Steps of 10 make 32 layers overflow.
  request.settings.set = {{"epochs", "4"}, {"lr", "10"}, {"dropout", "0"}};
  request.space = {{"layers", {"2", "32"}}};

  work(new_study(folder, request, 2), nullptr);

  const Summary summary = Summary::read(folder.path());
  EXPECT_EQ(summary.finished(), 2);
  ASSERT_EQ(summary.count(TrialState::failed), 1);
  const int failed = ranking(summary.trials)[1];
  EXPECT_EQ(summary.trials[failed].set.at("layers"), "32");
  EXPECT_THAT(summary.trials[failed].message, HasSubstr("training diverged"));
}

TEST(Study, OptionsThatTheModelRefusesAreAFailedTrial) {
  const TemporaryFolder folder;
  StudyRequest request = small_request();
  request.space = {{"layers", {"2", "99"}}};

  work(new_study(folder, request, 2), nullptr);

  const Summary summary = Summary::read(folder.path());
  EXPECT_EQ(summary.count(TrialState::failed), 1);
  EXPECT_EQ(summary.count(TrialState::completed), 1);
  for (const Trial& trial : summary.trials) {
    if (trial.state == TrialState::failed) {
      EXPECT_THAT(trial.message, HasSubstr("layers=99"));
    }
  }
}

TEST(UsablePart, LeavesOutWhatTheDataSetDoesNotAllow) {
  StudyRequest request = small_request();
  request.settings.model = "dshn";
  const train::Experiment experiment(request.settings);
  const SearchSpace space{
      {"hyperedge_features", {"given", "members-mean"}}, {"d", {"1", "2"}}, {"lr", {"0.01"}}};
  std::vector<std::string> left_out;

  const SearchSpace usable = usable_part(space, {}, experiment, left_out);

  EXPECT_THAT(usable[0].values, testing::ElementsAre("members-mean"));
  EXPECT_EQ(usable[1], space[1]);
  EXPECT_EQ(usable[2], space[2]);
  EXPECT_THAT(left_out, testing::ElementsAre(HasSubstr("hyperedge_features=given is not tried")));
  EXPECT_EQ(usable_part(space, {"hyperedge_features"}, experiment, left_out), space);
}

TEST(StudyRequest, ComesBackAsItWas) {
  StudyRequest request = small_request();
  request.seeds = 4;
  const StudyRequest back = StudyRequest::from_text(request.to_text());

  EXPECT_EQ(back.to_text(), request.to_text());
  EXPECT_EQ(back.space, request.space);
  EXPECT_EQ(back.seeds, 4);
  EXPECT_THROW(StudyRequest::from_text("{}"), InvalidInput);
  EXPECT_THROW(StudyRequest::from_text("nonsense"), InvalidInput);
}

TEST(StudyRequest, OfVersionOneHasOneFirstTrialAtMost) {
  auto text = nlohmann::ordered_json::parse(small_request().to_text());
  text["first"] = {{"lr", "0.5"}};
  text["first_from"] = "preset.toml";
  const StudyRequest with_one = StudyRequest::from_text(text.dump());
  text["first"] = nlohmann::ordered_json::object();
  text["first_from"] = "";

  ASSERT_EQ(with_one.first.size(), 1U);
  EXPECT_EQ(with_one.first[0].set.at("lr"), "0.5");
  EXPECT_EQ(with_one.first[0].from, "preset.toml");
  EXPECT_TRUE(StudyRequest::from_text(text.dump()).first.empty());
}

TEST(Preset, IsWhatTrainReadsAndTellsHowItCameAbout) {
  const TemporaryFolder folder;
  work(new_study(folder, small_request(), 3), nullptr);
  Summary summary = Summary::read(folder.path());

  const std::string text = preset_text(summary, "dshn tune --seed 0");
  std::ofstream(folder / "best.toml") << text;

  EXPECT_EQ(train::read_config(folder / "best.toml").set,
            summary.request.trial_settings(summary.best()->set).set);
  EXPECT_THAT(text, AllOf(HasSubstr("best of 3 trials"), HasSubstr("# dshn tune --seed 0"),
                          HasSubstr("Validation"), Not(HasSubstr("test"))));
  summary.final_figure = FinalFigure{10, {0.5, 0.1}, {0.25, 0.125}};
  EXPECT_THAT(preset_text(summary, ""), HasSubstr("test 25.00 ± 12.50"));
}

TEST(Summary, HoldsNoTestFigureUnlessOneWasAskedFor) {
  const TemporaryFolder folder;
  work(new_study(folder, small_request(), 3), nullptr);
  Summary summary = Summary::read(folder.path());

  const auto document = to_json(summary, "command");

  EXPECT_EQ(document["trials_finished"], 3);
  EXPECT_EQ(document["trials"].size(), 3U);
  EXPECT_THAT(document.dump(), Not(HasSubstr("\"test\"")));
}

}  // namespace
}  // namespace dshn::tune
