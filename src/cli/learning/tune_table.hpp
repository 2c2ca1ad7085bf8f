#pragma once

#include <string>

#include "cli/text_table.hpp"
#include "dshn/tune/study.hpp"

namespace dshn::cli {

/// The best so many trials: number, figure, figure of the confirmation where there is one, state and options.
std::string leaderboard(const tune::Summary& summary, int rows, const Terminal& terminal,
                        Overflow overflow = Overflow::wrap);

/// How much each option mattered, as a table of shares, or a line on how many trials that would take.
std::string importance_table(const tune::Summary& summary, const Terminal& terminal);

/// "trial 7 completed: 85.20 ± 1.30 (d=2 layers=4)", for streams that nobody watches live; a trial that
/// confirms another begins with "again:" and has the other's number.
std::string trial_line(const tune::StudyRequest& request, const tune::Trial& trial);

/// "12 of 50 finished (8 completed, 3 pruned, 1 failed), 2 running".
std::string counts_text(const tune::Summary& summary);

}  // namespace dshn::cli
