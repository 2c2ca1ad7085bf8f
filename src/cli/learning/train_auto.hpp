#pragma once

#include <filesystem>
#include <string>

#include "cli/context.hpp"
#include "dshn/tune/auto_search.hpp"

/// `dshn train --auto MINUTES`: the search, its file in the run folder and its leaderboard.
namespace dshn::cli {

/// What is tried where no model is named: with one, that and what it is to be better than.
tune::AutoRequest auto_request(const train::Settings& settings, bool model_named, double minutes,
                               const std::string& preset);

/// Whether a search in the folder was stopped before its winner was known.
bool has_unfinished_search(const std::filesystem::path& folder);

/// Searches, or goes on with what is in the folder, and keeps all that is tried there. Failure that says how to go on
/// when it is stopped.
tune::AutoState search_in(const std::filesystem::path& folder, tune::AutoState state, bool quiet,
                          const Context& context);

/// What the search of a run came to; nothing where its options were not searched for.
std::optional<tune::AutoState> read_search(const std::filesystem::path& folder);

/// The best of each model by validation, and what the hypergraph adds.
std::string auto_page(const tune::AutoState& state, const Terminal& terminal);

}  // namespace dshn::cli
