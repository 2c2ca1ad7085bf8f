#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/context.hpp"

namespace dshn::cli {

/// Trains the splits of a prepared run folder in several copies of this program, each with its share of the
/// cores. Returns when all have ended; Failure when one did not end well, with its exit status.
void run_workers(const std::filesystem::path& folder, int splits, int jobs, const Context& context);

/// Runs copies of this program with these words, `jobs` at a time and each with its share of the cores.
/// Failure when one did not end well, after those that were running have ended.
void run_commands(const std::vector<std::vector<std::string>>& commands, int jobs);

}  // namespace dshn::cli
