#pragma once

#include <filesystem>

#include "cli/context.hpp"

namespace dshn::cli {

/// Trains the splits of a prepared run folder in several copies of this program, each with its share of the
/// cores. Returns when all have ended; Failure when one did not end well, with its exit status.
void run_workers(const std::filesystem::path& folder, int splits, int jobs, const Context& context);

}  // namespace dshn::cli
