#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace dshn::report {

/// Whether the folder holds what `dshn tune` leaves: a database of trials or their summary.
bool holds_study(const std::filesystem::path& folder);

/// Whether there is a summary, study.json: a search that goes on for the first time has none yet.
bool has_summary(const std::filesystem::path& folder);

/// The summary as it is. InvalidInput when it is missing or no JSON.
nlohmann::ordered_json read_study(const std::filesystem::path& folder);

/// A summary as the page wants it: what was searched, the trials from the best to the worst, the importance of
/// the options, the confirmation and the final figure. InvalidInput, which names `folder`, when it is none.
nlohmann::ordered_json shown_study(const nlohmann::ordered_json& summary,
                                   const std::filesystem::path& folder);

}  // namespace dshn::report
