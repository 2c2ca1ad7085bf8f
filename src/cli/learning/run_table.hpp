#pragma once

#include <filesystem>
#include <string>

#include "cli/terminal.hpp"
#include "dshn/train/run.hpp"

namespace dshn::cli {

/// A run's figures for people: a row per split, the mean beside the paper's, and the protocol.
std::string run_table(const train::RunResult& result, const train::Experiment& experiment,
                      const std::filesystem::path& folder, const Terminal& terminal);

}  // namespace dshn::cli
