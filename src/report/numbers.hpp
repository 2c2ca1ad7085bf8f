#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

namespace dshn::report {

/// The true and the predicted numbers of a run's first split, from its predictions.csv: columns of the items whose
/// numbers are known, a seeded sample where they are many. InvalidInput, with the line, for a broken file.
nlohmann::ordered_json read_numbers(const std::filesystem::path& folder);

}  // namespace dshn::report
