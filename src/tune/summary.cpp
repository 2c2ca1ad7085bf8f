#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "dshn/base/error.hpp"
#include "dshn/tune/confirmation.hpp"
#include "dshn/tune/importance.hpp"
#include "dshn/tune/store.hpp"
#include "dshn/tune/study.hpp"

namespace dshn::tune {
namespace {

using nlohmann::ordered_json;

ordered_json figure_json(const train::MeanStd& figure) {
  return {{"mean", figure.mean}, {"std", figure.std}};
}

ordered_json trial_json(const Trial& trial) {
  ordered_json document{
      {"number", trial.number},
      {"state", to_string(trial.state)},
      {"splits", trial.validation.size()},
      {"validation", trial.validation.empty() ? ordered_json() : figure_json(trial.figure())},
      {"attempts", trial.attempt},
      {"set", trial.set}};
  if (!trial.message.empty()) document["message"] = trial.message;
  return document;
}

/// Best first; what is not finished behind.
std::vector<int> display_order(const std::vector<Trial>& trials) {
  std::vector<int> numbers = ranking(trials);
  for (const Trial& trial : trials) {
    if (!trial.finished()) numbers.push_back(trial.number);
  }
  return numbers;
}

/// The confirmed trials, the best one first.
ordered_json confirmation_json(const Confirmation& confirmation) {
  ordered_json trials = ordered_json::array();
  for (const int place : display_order(confirmation.trials)) {
    ordered_json trial = trial_json(confirmation.trials[place]);
    trial["number"] = confirmation.numbers[place];
    trials.push_back(trial);
  }
  const std::optional<int> winner = confirmation.winner();
  return {{"seed", confirmation.seed},
          {"seeds", confirmation.seeds},
          {"trials_asked", confirmation.goal},
          {"winner", winner ? ordered_json(*winner) : ordered_json()},
          {"trials", trials}};
}

/// As a comment has it.
std::string on_one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

std::string seed_words(std::uint64_t first, int count) {
  return fmt::format("{} {}", count == 1 ? "seed" : "seeds", seed_range(first, count));
}

std::string confirmation_comment(const Confirmation& confirmation, const StudyRequest& request) {
  const Trial* winner = confirmation.again(*confirmation.winner());
  return fmt::format(
      "# Validation {} over {} splits of {}, the best of {} trials that were trained again, by which it "
      "was\n# chosen.\n",
      request.figure_text(winner->figure()), winner->validation.size(),
      seed_words(confirmation.seed, confirmation.seeds), confirmation.goal);
}

/// A completed trial has a figure, and what was confirmed is among the trials.
void check(const Summary& summary, const StudyPlace& study) {
  for (const Trial& trial : summary.trials) {
    if (trial.state == TrialState::completed && trial.validation.empty())
      throw InvalidInput(
          fmt::format("{}: trial {} is completed without a figure", study.text(), trial.number));
  }
  if (!summary.confirmation) return;
  for (const int number : summary.confirmation->numbers) {
    if (number >= static_cast<int>(summary.trials.size()))
      throw InvalidInput(fmt::format("{}: trial {} was confirmed, but is missing", study.text(), number));
  }
}

}  // namespace

Summary Summary::read(const StudyPlace& study) {
  const Store store(study.store);
  Summary summary{StudyRequest::from_text(store.request()), store.goal(), store.trials(),
                  read_confirmation(study), std::nullopt};
  check(summary, study);
  return summary;
}

int Summary::count(TrialState state) const {
  return static_cast<int>(
      std::count_if(trials.begin(), trials.end(), [&](const Trial& t) { return t.state == state; }));
}

int Summary::finished() const {
  return static_cast<int>(
      std::count_if(trials.begin(), trials.end(), [](const Trial& t) { return t.finished(); }));
}

const Trial* Summary::best() const {
  if (const auto winner = confirmation ? confirmation->winner() : std::nullopt) return &trials[*winner];
  const std::vector<int> ranked = ranking(trials);
  if (ranked.empty() || trials[ranked[0]].state != TrialState::completed) return nullptr;
  return &trials[ranked[0]];
}

ordered_json to_json(const Summary& summary, const std::string& command) {
  ordered_json states;
  for (const TrialState state : {TrialState::completed, TrialState::pruned, TrialState::failed,
                                 TrialState::running, TrialState::waiting})
    states[to_string(state)] = summary.count(state);
  ordered_json importance = ordered_json::array();
  for (const Importance& entry : importances(summary.request.space, summary.trials))
    importance.push_back(
        {{"name", entry.name}, {"share", entry.share ? ordered_json(*entry.share) : ordered_json()}});
  ordered_json trials = ordered_json::array();
  for (const int number : display_order(summary.trials)) trials.push_back(trial_json(summary.trials[number]));
  ordered_json document{{"command", command},
                        {"request", ordered_json::parse(summary.request.to_text())},
                        {"trials_asked", summary.goal},
                        {"trials_finished", summary.finished()},
                        {"states", states},
                        {"best", summary.best() ? trial_json(*summary.best()) : ordered_json()},
                        {"importance", importance},
                        {"trials", trials}};
  if (summary.confirmation) document["confirmation"] = confirmation_json(*summary.confirmation);
  if (summary.final_figure)
    document["final"] = {{"splits", summary.final_figure->splits},
                         {"validation", figure_json(summary.final_figure->validation)},
                         {"test", figure_json(summary.final_figure->test)}};
  return document;
}

std::string preset_text(const Summary& summary, const std::string& command) {
  const Trial* best = summary.best();
  if (best == nullptr) throw UsageError("no trial was completed: there is no winner to write");
  const StudyRequest& request = summary.request;
  const bool is_confirmed = summary.confirmation && summary.confirmation->winner();
  std::string text = fmt::format(
      "# {} on {}: the best of {} trials{} ({} completed, {} pruned, {} failed), sampler {}, {}.\n"
      "# {} {} over {} splits{}.\n",
      request.settings.model, on_one_line(request.settings.data), summary.finished(),
      summary.finished() < summary.goal ? fmt::format(" of {} asked for", summary.goal) : "",
      summary.count(TrialState::completed), summary.count(TrialState::pruned),
      summary.count(TrialState::failed), request.sampler, seed_words(request.settings.seed, request.seeds),
      request.objective == "steady" ? "Validation, mean of the epochs around the best one," : "Validation",
      request.figure_text(best->figure()), best->validation.size(),
      is_confirmed ? " in the search" : ", by which it was chosen");
  if (is_confirmed) text += confirmation_comment(*summary.confirmation, request);
  if (summary.final_figure)
    text += fmt::format("# Trained on {} splits afterwards: test {}, validation {}.\n",
                        summary.final_figure->splits, request.figure_text(summary.final_figure->test),
                        request.figure_text(summary.final_figure->validation));
  text += fmt::format("# {}\n", on_one_line(command));
  return text + train::preset_section(request.trial_settings(best->set).set);
}

}  // namespace dshn::tune
