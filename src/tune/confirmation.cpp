#include "dshn/tune/confirmation.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "dshn/base/error.hpp"
#include "dshn/io/file_system.hpp"
#include "dshn/io/table.hpp"
#include "dshn/tune/store.hpp"

namespace dshn::tune {
namespace {

/// The best completed trials, at most `count`.
std::vector<FirstTrial> best_trials(const std::vector<Trial>& trials, int count) {
  std::vector<FirstTrial> best;
  for (const int number : ranking(trials)) {
    if (static_cast<int>(best.size()) == count || trials[number].state != TrialState::completed) break;
    best.push_back({trials[number].set, std::to_string(number)});
  }
  return best;
}

StudyRequest confirmation_request(const StudyRequest& study, std::vector<FirstTrial> best) {
  StudyRequest request = study;
  request.settings = confirmation_settings(study);
  request.first = std::move(best);
  request.halving = false;
  request.confirm = 0;
  request.confirm_splits = 0;
  request.confirms = true;
  return request;
}

}  // namespace

train::Settings confirmation_settings(const StudyRequest& request) {
  train::Settings settings = request.settings;
  settings.seed += kConfirmationStep;
  settings.splits = request.confirm_splits;
  return settings;
}

int prepare_confirmation(const StudyPlace& study) {
  const Store searched(study.store);
  const StudyRequest request = StudyRequest::from_text(searched.request());
  const std::vector<FirstTrial> best = best_trials(searched.trials(), request.confirm);
  const StudyPlace second_look = study.confirmation();
  io::make_folders(second_look.folder);
  if (Store::create(second_look.store, confirmation_request(request, best).to_text(),
                    static_cast<int>(best.size())))
    return static_cast<int>(best.size());
  Store store(second_look.store);
  StudyRequest begun = StudyRequest::from_text(store.request());
  for (const FirstTrial& trial : best) {
    const auto is_it = [&](const FirstTrial& other) { return other.from == trial.from; };
    if (std::none_of(begun.first.begin(), begun.first.end(), is_it)) begun.first.push_back(trial);
  }
  store.set_request(begun.to_text());
  store.set_goal(static_cast<int>(begun.first.size()));
  return static_cast<int>(begun.first.size());
}

std::optional<Confirmation> read_confirmation(const StudyPlace& study) {
  const StoreAddress address = study.confirmation().store;
  if (!Store::holds_study(address)) return std::nullopt;
  const Store store(address);
  const StudyRequest request = StudyRequest::from_text(store.request());
  Confirmation confirmation{request.settings.seed, request.seeds, store.goal(), {}, store.trials()};
  for (const FirstTrial& trial : request.first) {
    int& number = confirmation.numbers.emplace_back();
    if (!io::parse_number(trial.from, number) || number < 0)
      throw InvalidInput(fmt::format("{}: '{}' is no number of a trial that could be confirmed",
                                     address.text(), trial.from));
  }
  if (confirmation.trials.size() > confirmation.numbers.size())
    throw InvalidInput(fmt::format("{}: more trials than were to be confirmed", address.text()));
  return confirmation;
}

bool Confirmation::finished() const {
  const auto done = std::count_if(trials.begin(), trials.end(), [](const Trial& t) { return t.finished(); });
  return done == goal;
}

const Trial* Confirmation::again(int number) const {
  const auto place = std::find(numbers.begin(), numbers.end(), number) - numbers.begin();
  return place < static_cast<std::ptrdiff_t>(trials.size()) ? &trials[place] : nullptr;
}

std::optional<int> Confirmation::winner() const {
  const std::vector<int> ranked = ranking(trials);
  if (!finished() || ranked.empty() || trials[ranked[0]].state != TrialState::completed) return std::nullopt;
  return numbers[ranked[0]];
}

}  // namespace dshn::tune
