#include "dshn/tune/confirmation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "dshn/train/split_run.hpp"
#include "tune/small_study.hpp"

namespace dshn::tune {
namespace {

using test::new_study;
using test::small_request;
using testing::ElementsAre;
using testing::HasSubstr;

/// A study with trials that were not trained: their figures are given, one for each.
std::filesystem::path searched_study(const TemporaryFolder& folder, StudyRequest request,
                                     const std::vector<double>& figures) {
  new_study(folder, request, static_cast<int>(figures.size()));
  Store store(database_file(folder.path()));
  for (const double figure : figures) {
    const auto claim = store.claim([&](const std::vector<Trial>&, int number) {
      return assignments(request.space, configuration_at(request.space, std::uint64_t{7} * number));
    });
    store.record(*claim, 0, figure, [](const std::vector<Trial>&) { return TrialState::completed; });
  }
  return folder.path();
}

/// Confirmations that were not trained either, in the order of the study's best.
void confirm_with(const std::filesystem::path& study, const std::vector<double>& figures) {
  Store store(database_file(confirmation_folder(study)));
  const StudyRequest request = StudyRequest::from_text(store.request());
  for (const double figure : figures) {
    const auto claim =
        store.claim([&](const std::vector<Trial>&, int number) { return request.first.at(number).set; });
    store.record(*claim, 0, figure, [](const std::vector<Trial>&) { return TrialState::completed; });
  }
}

StudyRequest confirmed_request(int count) {
  StudyRequest request = small_request();
  request.confirm = count;
  request.confirm_splits = 2;
  return request;
}

TEST(Confirmation, NamesTheWinnerByItsOwnFigures) {
  const TemporaryFolder folder;
  searched_study(folder, confirmed_request(2), {0.5, 0.9, 0.8, 0.7});
  EXPECT_EQ(Summary::read(folder.path()).best()->number, 1);

  EXPECT_EQ(prepare_confirmation(folder.path()), 2);
  confirm_with(folder.path(), {0.6});
  EXPECT_EQ(Summary::read(folder.path()).best()->number, 1) << "the other one is not confirmed yet";
  confirm_with(folder.path(), {0.75});

  const Summary summary = Summary::read(folder.path());
  EXPECT_THAT(summary.confirmation->numbers, ElementsAre(1, 2));
  EXPECT_EQ(summary.best()->number, 2);
  EXPECT_EQ(to_json(summary, "")["confirmation"]["winner"], 2);
  EXPECT_EQ(to_json(summary, "")["confirmation"]["trials"][0]["validation"]["mean"], 0.75);
  EXPECT_THAT(preset_text(summary, ""), HasSubstr("Validation 75.00 ± 0.00 over 1 splits of seed 1000"));
}

TEST(Confirmation, TrainsTheBestOnSplitsThatTheStudyHasNotSeen) {
  const TemporaryFolder folder;
  StudyRequest request = confirmed_request(2);
  request.halving = false;
  work(new_study(folder, request, 3), nullptr);

  prepare_confirmation(folder.path());
  work(confirmation_folder(folder.path()), nullptr);

  const Summary summary = Summary::read(folder.path());
  const std::vector<int> ranked = ranking(summary.trials);
  EXPECT_EQ(summary.confirmation->seed, 1000U);
  EXPECT_THAT(summary.confirmation->numbers, ElementsAre(ranked[0], ranked[1]));
  const TemporaryFolder alone;
  StudyRequest same = request;
  same.settings.seed = 1000;
  same.first = {{summary.trials[ranked[1]].set, ""}};
  work(new_study(alone, same, 1), nullptr);
  EXPECT_EQ(summary.confirmation->again(ranked[1])->validation,
            Summary::read(alone.path()).trials[0].validation);
}

TEST(Confirmation, OfSeveralSeedsTakesAsManyOthers) {
  const TemporaryFolder folder;
  StudyRequest request = confirmed_request(1);
  request.seeds = 10;
  searched_study(folder, request, {0.5, 0.9});
  prepare_confirmation(folder.path());
  confirm_with(folder.path(), {0.75});

  EXPECT_EQ(read_confirmation(folder.path())->seeds, 10);
  const std::string preset = preset_text(Summary::read(folder.path()), "");
  EXPECT_THAT(preset, HasSubstr("sampler tpe, seeds 0-9."));
  EXPECT_THAT(preset, HasSubstr("over 1 splits of seeds 1000-1009"));
}

TEST(Confirmation, GoesOnAfterAStopWithoutRepeatingWhatIsFinished) {
  const TemporaryFolder folder;
  searched_study(folder, confirmed_request(2), {0.5, 0.9, 0.8});
  prepare_confirmation(folder.path());
  const std::filesystem::path again = confirmation_folder(folder.path());
  // Two splits of four epochs for each of two trials: the second trial has begun.
  int asked = 0;
  EXPECT_THROW(work(again, [&] { return ++asked >= 12; }), train::Interrupted);
  const std::vector<double> first = read_confirmation(folder.path())->trials[0].validation;
  EXPECT_EQ(first.size(), 2U);
  EXPECT_FALSE(read_confirmation(folder.path())->finished());

  prepare_confirmation(folder.path());
  work(again, nullptr);

  const Confirmation confirmation = *read_confirmation(folder.path());
  EXPECT_TRUE(confirmation.finished());
  EXPECT_EQ(confirmation.trials[0].validation, first);
  EXPECT_EQ(confirmation.trials[0].attempt, 1);
  EXPECT_EQ(confirmation.trials[1].attempt, 2);
}

TEST(Confirmation, OfAStudyThatWentOnAddsWhatIsNewAmongTheBest) {
  const TemporaryFolder folder;
  searched_study(folder, confirmed_request(2), {0.5, 0.9, 0.8});
  prepare_confirmation(folder.path());
  confirm_with(folder.path(), {0.6, 0.7});
  Store store(database_file(folder.path()));
  store.set_goal(4);
  const auto claim = store.claim([](const std::vector<Trial>&, int) { return Assignments{{"lr", "1"}}; });
  store.record(*claim, 0, 0.95, [](const std::vector<Trial>&) { return TrialState::completed; });

  EXPECT_EQ(prepare_confirmation(folder.path()), 3);

  EXPECT_EQ(Summary::read(folder.path()).best()->number, 3) << "not confirmed yet";
  confirm_with(folder.path(), {0.65});
  EXPECT_THAT(read_confirmation(folder.path())->numbers, ElementsAre(1, 2, 3));
  EXPECT_EQ(Summary::read(folder.path()).best()->number, 2);
}

TEST(Confirmation, IsOfNoMoreTrialsThanWereCompleted) {
  const TemporaryFolder folder;
  searched_study(folder, confirmed_request(5), {0.5, 0.9});

  EXPECT_EQ(prepare_confirmation(folder.path()), 2);
}

}  // namespace
}  // namespace dshn::tune
