#include "cli/learning/tune_table.hpp"

#include <fmt/format.h>

#include "dshn/tune/importance.hpp"

namespace dshn::cli {
namespace {

using tune::TrialState;

std::string options_text(const Assignments& set) {
  std::string text;
  for (const auto& [name, value] : set) text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
  return text;
}

std::string validation_text(const tune::StudyRequest& request, const tune::Trial& trial) {
  if (trial.state == TrialState::failed || trial.validation.empty()) return "–";
  return request.figure_text(trial.figure());
}

/// What the confirmation came to; "–" for a trial that it leaves out.
std::string again_text(const tune::Summary& summary, int number) {
  const tune::Trial* again = summary.confirmation->again(number);
  return again == nullptr ? "–" : validation_text(summary.request, *again);
}

Paint paint_of(TrialState state) {
  if (state == TrialState::completed) return Paint::good;
  return state == TrialState::failed ? Paint::bad : Paint::faint;
}

}  // namespace

std::string leaderboard(const tune::Summary& summary, int rows, const Terminal& terminal, Overflow overflow) {
  std::vector<TextTable::Column> columns{{"trial", Align::right},
                                         {"validation", Align::right},
                                         {"splits", Align::right},
                                         {"state"},
                                         {"options"}};
  if (summary.confirmation) columns.insert(columns.begin() + 3, TextTable::Column{"again", Align::right});
  TextTable table(columns);
  for (const int number : tune::ranking(summary.trials)) {
    if (rows-- == 0) break;
    const tune::Trial& trial = summary.trials[number];
    std::vector<TextCell> row{{summary.request.name_of(number)},
                              {validation_text(summary.request, trial), Paint::strong},
                              {std::to_string(trial.validation.size())},
                              {tune::to_string(trial.state), paint_of(trial.state)},
                              {options_text(trial.set)}};
    if (summary.confirmation) row.insert(row.begin() + 3, TextCell{again_text(summary, number)});
    table.add(row);
  }
  return table.render(terminal, overflow);
}

std::string importance_table(const tune::Summary& summary, const Terminal& terminal) {
  const int completed = summary.count(TrialState::completed);
  if (completed < tune::kFewestForImportance)
    return fmt::format("importance of options: not told from {} completed trial{}, but from {} on\n",
                       completed, completed == 1 ? "" : "s", tune::kFewestForImportance);
  TextTable table({{"option"}, {"importance", Align::right}});
  for (const tune::Importance& entry : tune::importances(summary.request.space, summary.trials))
    table.add({{entry.name}, {entry.share ? fmt::format("{:.0f} %", 100 * *entry.share) : "–"}});
  return table.render(terminal);
}

std::string trial_line(const tune::StudyRequest& request, const tune::Trial& trial) {
  const std::string what =
      trial.state == TrialState::failed ? trial.message : validation_text(request, trial);
  return fmt::format("{}trial {} {}: {} ({})", request.confirms ? "again: " : "",
                     request.name_of(trial.number), tune::to_string(trial.state), what,
                     options_text(trial.set));
}

std::string counts_text(const tune::Summary& summary) {
  return fmt::format("{} of {} trials finished ({} completed, {} pruned, {} failed), {} running",
                     summary.finished(), summary.goal, summary.count(TrialState::completed),
                     summary.count(TrialState::pruned), summary.count(TrialState::failed),
                     summary.count(TrialState::running));
}

}  // namespace dshn::cli
