#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

namespace dshn::experiments {

/// A table as it was written, of which every name can be relied on that io::table_shape() has; its cells with their
/// figures. InvalidInput, with the place, where it is something else.
nlohmann::ordered_json read_table(const std::filesystem::path& file);

/// What is stored of a cell, likewise; nothing where there is no file.
std::optional<nlohmann::ordered_json> read_cell(const std::filesystem::path& file);

/// Whether a table is a listing of columns and rows, and not of cells.
bool is_listing(const nlohmann::ordered_json& table);

}  // namespace dshn::experiments
