#pragma once

#include <string>
#include <vector>

namespace dshn::cli {

/// Runs copies of this program with these words as the ranks of one training, each with its share of the cores, and
/// waits for all. `patience` is for how many seconds a rank waits for a message of another. When one ends badly, or
/// this program is to stop, the others end too: by themselves, or by force when they have had the time to. An error of
/// the kind that the first of them had, with one line that names it and ends with `how_to_go_on`.
void run_ranks(const std::vector<std::string>& words, int ranks, double patience,
               const std::string& how_to_go_on);

}  // namespace dshn::cli
