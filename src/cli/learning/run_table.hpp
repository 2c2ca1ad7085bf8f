#pragma once

#include <filesystem>
#include <string>

#include "cli/terminal.hpp"
#include "dshn/train/run.hpp"

namespace dshn::cli {

/// A run's figures for people: a row per split, the mean beside the paper's, and the protocol.
std::string run_table(const train::RunResult& result, const train::Experiment& experiment,
                      const std::filesystem::path& folder, const Terminal& terminal);

/// The figures of a run's models on the labelled items of another data set: a row per split, and the mean.
std::string table_of_other_data(const train::RunResult& result, const data::Dataset& dataset,
                                const train::Settings& settings, const Terminal& terminal);

}  // namespace dshn::cli
