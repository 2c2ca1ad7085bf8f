#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>

namespace dshn::report {

/// A table of `dshn reproduce`, with whole cells. UsageError when there is no such file, InvalidInput when it is
/// something else: neither cells, each with data and model, nor a listing of columns and rows.
nlohmann::ordered_json read_results(const std::filesystem::path& file);

/// The same as the page wants it: of every cell its place, the figures, the paper's and the difference to them;
/// the comparisons; the columns and rows of a listing.
nlohmann::ordered_json shown_results(const nlohmann::ordered_json& table);

}  // namespace dshn::report
