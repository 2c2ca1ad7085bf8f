#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

/// Documents of `dshn reproduce` as text. The text follows from the document alone.
namespace dshn::experiments {

/// The table of a document, with a row per "row" and a column per "column" of its cells, or as its "rows"
/// say.
std::string table_markdown(const nlohmann::ordered_json& document);

/// Heading, table, what is missing, and where it comes from: what OUT/NAME.md holds.
std::string page_markdown(const nlohmann::ordered_json& document);

/// Every NAME.json of a folder, rendered to NAME.md beside it; returns the names. InvalidInput for a file
/// that is not such a document.
std::vector<std::string> render_folder(const std::filesystem::path& folder);

/// The page's text with everything between "<!-- result NAME -->" and "<!-- end of result NAME -->" replaced
/// by NAME.md of the folder. InvalidInput where an end or a rendered result is missing.
std::string with_results(const std::string& page, const std::filesystem::path& folder);

}  // namespace dshn::experiments
