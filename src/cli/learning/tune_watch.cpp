#include "cli/learning/tune_watch.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "cli/learning/tune_table.hpp"
#include "cli/text.hpp"

namespace dshn::cli {
namespace {

constexpr int kRowsShown = 10;

void write_to_terminal(const std::string& text) {
  // A leaderboard that cannot be shown is no reason to fail.
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
}

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
    const std::string text =
        leaderboard(summary, kRowsShown, err_) + shorten(counts_text(summary), err_.width - 1) + '\n';
    if (text == drawn_) return;
    erase();
    write_to_terminal(text);
    drawn_ = text;
    return;
  }
  for (const tune::Trial& trial : summary.trials) {
    if (trial.finished() && told_.insert(trial.number).second)
      write_to_terminal(printable(trial_line(summary.request, trial)) + '\n');
  }
}

void TuneWatch::erase() {
  const auto lines = std::count(drawn_.begin(), drawn_.end(), '\n');
  if (lines > 0) write_to_terminal(fmt::format("\x1b[{}A\r\x1b[J", lines));
  drawn_.clear();
}

}  // namespace dshn::cli
