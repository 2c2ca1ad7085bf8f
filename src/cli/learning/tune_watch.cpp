#include "cli/learning/tune_watch.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/learning/tune_table.hpp"
#include "cli/text.hpp"

namespace dshn::cli {
namespace {

constexpr int kRowsShown = 10;
constexpr int kOtherLines = 3;  // titles, counts, and the one below where the cursor goes

}  // namespace

TuneWatch::TuneWatch(const Terminal& err, bool quiet, const tune::Summary& before)
    : err_(err), quiet_(quiet) {
  for (const tune::Trial& trial : before.trials) {
    if (trial.finished()) told_.insert(trial.number);
  }
}

void TuneWatch::show(const tune::Summary& summary) {
  if (quiet_) return;
  if (err_.interactive) {
    draw(summary);
    return;
  }
  for (const tune::Trial& trial : summary.trials) {
    if (trial.finished() && told_.insert(trial.number).second)
      err_.show(printable(trial_line(summary.request, trial)) + '\n');
  }
}

void TuneWatch::draw(const tune::Summary& summary) {
  const Terminal terminal = err_.now();
  const int rows = std::clamp(terminal.height - kOtherLines, 1, kRowsShown);
  const std::string text = leaderboard(summary, rows, terminal, Overflow::cut) +
                           shorten(counts_text(summary), terminal.width - 1) + '\n';
  if (text == drawn_) return;
  const auto lines = std::count(text.begin(), text.end(), '\n');
  err_.show(fmt::format("{}{}{}{}\x1b[{}A\r", kEraseDown, kCutLines, text, kWrapLines, lines));
  drawn_ = text;
}

void TuneWatch::erase() {
  if (!drawn_.empty()) err_.show(kEraseDown);
  drawn_.clear();
}

}  // namespace dshn::cli
