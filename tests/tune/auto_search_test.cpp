#include "dshn/tune/auto_search.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "dshn/base/error.hpp"
#include "dshn/data/open.hpp"
#include "dshn/train/experiment.hpp"
#include "dshn/train/run.hpp"
#include "support/message_of.hpp"

namespace dshn::tune {
namespace {

using dshn::test::message_of;
using testing::HasSubstr;

/// Models that learn in no time on a small generated set.
AutoRequest quick_request(double seconds) {
  AutoRequest request;
  request.settings.data = "synthetic-generated-io10";
  request.settings.splits = 3;
  request.settings.device = "cpu";
  request.settings.set = {{"epochs", "5"}, {"hidden_width", "8"}, {"layers", "1"}};
  request.entrants = {{"majority"}, {"linear"}, {"hgnn"}};
  request.seconds = seconds;
  return request;
}

std::shared_ptr<const data::Dataset> dataset_of(const AutoRequest& request) {
  return std::make_shared<const data::Dataset>(
      data::open(request.settings.data, train::open_options(request.settings)));
}

AutoBoard searched(const AutoRequest& request, const AutoHooks& hooks = {}) {
  AutoBoard board;
  auto_search(request, dataset_of(request), board, hooks);
  return board;
}

TEST(AutoSearch, TriesEveryEntrantOnASplitHoweverShortTheTime) {
  const AutoRequest request = quick_request(1e-9);
  const AutoBoard board = searched(request);

  EXPECT_TRUE(board.finished);
  EXPECT_EQ(board.splits, 1);
  ASSERT_EQ(board.candidates.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(board.candidates[i].model, request.entrants[i].model);
    EXPECT_EQ(board.candidates[i].trial.state, TrialState::completed);
    EXPECT_EQ(board.candidates[i].trial.validation.size(), 1U);
    EXPECT_FALSE(board.candidates[i].searched);
  }
}

TEST(AutoSearch, GivesTheFiguresThatTrainingGives) {
  const AutoRequest request = quick_request(1e-9);
  const AutoBoard board = searched(request);
  double best = 0;
  for (const Candidate& candidate : board.candidates) {
    const train::Experiment experiment(dataset_of(request), settings_of(request, candidate));
    const train::SplitResult split = train::run_in_memory(experiment).splits[0];
    EXPECT_EQ(candidate.trial.validation[0], split.steady_val) << candidate.model;
    EXPECT_GT(split.steady_val, 0) << candidate.model;
    best = std::max(best, split.steady_val);
  }
  EXPECT_EQ(board.candidates[board.ranked()[0]].trial.figure().mean, best);
  EXPECT_EQ(winner_settings(request, board).model, board.candidates[board.ranked()[0]].model);
}

/// Goes on with the board until it has so many candidates: no clock decides.
void search_until(std::size_t candidates, const AutoRequest& request, AutoBoard& board) {
  AutoHooks hooks;
  hooks.should_stop = [&] { return board.candidates.size() >= candidates; };
  EXPECT_THROW(auto_search(request, dataset_of(request), board, hooks), train::Interrupted);
}

TEST(AutoSearch, UsesTheTimeForOthersNearTheBest) {
  const AutoRequest request = quick_request(36000);
  AutoBoard board;
  search_until(9, request, board);

  EXPECT_FALSE(board.finished);
  EXPECT_EQ(board.splits, 3);
  ASSERT_EQ(board.candidates.size(), 9U);
  std::set<std::pair<std::string, Assignments>> seen;
  for (const Candidate& candidate : board.candidates) {
    const train::Settings settings = settings_of(request, candidate);
    EXPECT_EQ(settings.set.at("epochs"), "5") << "what was asked for is not searched";
    if (candidate.model == "hgnn") {
      EXPECT_EQ(settings.set.at("layers"), "1");
    }
    EXPECT_TRUE(seen.insert({candidate.model, settings.all_options()}).second) << "tried twice";
    EXPECT_FALSE(candidate.searched && candidate.model == "majority") << "a rule has nothing to search";
    EXPECT_EQ(candidate.trial.state == TrialState::completed, candidate.trial.validation.size() == 3U);
  }
}

/// With nothing left to search: no clock decides when the search ends.
AutoRequest settled_request() {
  AutoRequest request = quick_request(36000);
  request.settings.splits = 5;
  for (const auto& [name, value] : Assignments{{"lr", "0.01"},
                                               {"weight_decay", "0"},
                                               {"dropout", "0.1"},
                                               {"scaling", "auto"},
                                               {"classifier_width", "8"},
                                               {"imaginary_input", "zero"}})
    request.settings.set[name] = value;
  request.entrants = {{"majority"}, {"linear"}, {"hgnn"}, {"gedi-hnn"}};
  return request;
}

TEST(AutoSearch, ComparesTheBestOfThreeModelsOnAllSplits) {
  const AutoRequest request = settled_request();
  const AutoBoard board = searched(request);

  EXPECT_TRUE(board.finished);
  EXPECT_EQ(board.splits, 3);
  const std::vector<int> ranked = board.ranked();
  ASSERT_EQ(ranked.size(), 4U) << "nothing was tried twice";
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_EQ(board.candidates[ranked[i]].trial.validation.size(), i < 3 ? 5U : 3U);
  const Candidate& winner = board.candidates[ranked[0]];
  for (std::size_t i = 1; i < 3; ++i)
    EXPECT_GE(winner.trial.figure().mean, board.candidates[ranked[i]].trial.figure().mean);
  const train::Experiment experiment(dataset_of(request), settings_of(request, winner));
  EXPECT_EQ(winner.trial.validation[4], train::run_in_memory(experiment).splits[4].steady_val);
}

TEST(AutoSearch, StoppedInAComparisonFinishesItsRound) {
  const AutoRequest request = settled_request();
  AutoBoard board;
  const auto has_split = [&](std::size_t splits) {
    return std::ranges::any_of(board.candidates, [&](const Candidate& candidate) {
      return candidate.trial.validation.size() >= splits;
    });
  };
  AutoHooks hooks;
  hooks.should_stop = [&] { return has_split(4); };
  EXPECT_THROW(auto_search(request, dataset_of(request), board, hooks), train::Interrupted);

  AutoState state = auto_from_json(to_json(request, board).dump(), "here");
  state.request.seconds = 1e-9;  // none is left
  auto_search(state.request, dataset_of(request), state.board, {});

  const std::vector<int> ranked = state.board.ranked();
  EXPECT_EQ(ranked.size(), 4U);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_EQ(state.board.candidates[ranked[i]].trial.validation.size(), 4U);
}

/// Models and options, in the order in which they were tried, with their figures.
std::vector<std::tuple<std::string, Assignments, std::vector<double>>> proposals(const AutoBoard& board) {
  std::vector<std::tuple<std::string, Assignments, std::vector<double>>> all;
  for (const Candidate& candidate : board.candidates)
    all.emplace_back(candidate.model, candidate.trial.set, candidate.trial.validation);
  return all;
}

TEST(AutoSearch, GoesOnWhereItWasStopped) {
  const AutoRequest request = quick_request(36000);
  AutoBoard whole;
  search_until(8, request, whole);
  AutoBoard first;
  search_until(5, request, first);

  AutoState state = auto_from_json(to_json(request, first).dump(), "here");
  search_until(8, state.request, state.board);

  EXPECT_EQ(proposals(state.board), proposals(whole));
  EXPECT_GT(state.board.seconds, first.seconds);
}

TEST(AutoSearch, LeavesOutWhatCannotBeTrained) {
  AutoRequest request = quick_request(1e-9);
  request.entrants = {{"dshn", {{"hyperedge_features", "given"}}, "p.toml"}, {"linear"}};  // there are none

  const AutoBoard board = searched(request);
  EXPECT_EQ(board.candidates[0].trial.state, TrialState::failed);
  EXPECT_THAT(board.candidates[0].trial.message, HasSubstr("has no hyperedge features"));
  EXPECT_EQ(winner_settings(request, board).model, "linear");

  request.entrants.pop_back();
  EXPECT_THAT(message_of<Failure>([&] { searched(request); }), HasSubstr("none of the 1 models"));
}

TEST(AutoSearch, RefusesOptionsOfNoModel) {
  AutoRequest request = quick_request(1);
  request.settings.set["heads"] = "4";
  EXPECT_THAT(message_of<UsageError>([&] { check(request); }), HasSubstr("'heads'"));
  request.settings.set.erase("heads");
  request.settings.set["layers"] = "99";
  EXPECT_THROW(check(request), UsageError);
}

TEST(AutoSearch, ComesBackFromItsFile) {
  AutoRequest request = quick_request(90);
  request.settings.seed = 18446744073709551615ULL;
  request.settings.reading = {{"sep", "tab"}};
  request.entrants.push_back({"dshn", {{"d", "3"}}, "p.toml"});
  AutoBoard board;
  board.splits = 2;
  board.seconds = 12.5;
  board.candidates.push_back({.model = "dshn", .preset = "p.toml", .searched = true, .seconds = 1.5});
  board.candidates[0].trial.validation = {0.1, 0.7};
  board.candidates[0].trial.set = {{"d", "3"}};
  board.candidates[0].trial.state = TrialState::pruned;

  const std::string text = to_json(request, board).dump();
  const AutoState read = auto_from_json(text, "here");

  EXPECT_EQ(to_json(read.request, read.board).dump(), text);
  EXPECT_EQ(read.request.settings.seed, request.settings.seed);
  EXPECT_EQ(read.request.seconds, 90);
  EXPECT_THAT(message_of<InvalidInput>([] { auto_from_json("{}", "f.json"); }), HasSubstr("f.json"));
  EXPECT_THROW(auto_from_json("[", "f.json"), InvalidInput);
}

TEST(AutoSearch, NumbersThatDoNotFitAreRefused) {
  const nlohmann::ordered_json whole = to_json(quick_request(90), {});
  for (const char* const other : {"-1", "4294967297", "1e300", "0.5"}) {
    nlohmann::ordered_json changed = whole;
    changed["splits"] = nlohmann::ordered_json::parse(other);
    EXPECT_THROW(auto_from_json(changed.dump(), "f.json"), InvalidInput) << other;
  }
}

}  // namespace
}  // namespace dshn::tune
