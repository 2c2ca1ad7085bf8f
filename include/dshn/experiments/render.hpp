#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

/// Documents of `dshn reproduce` as text. The text follows from the document alone.
namespace dshn::experiments {

/// The table of a document: as its "rows" say, or with a row per "row" and a column per "column" of its cells.
/// Where that is too wide for a page, rows and columns are exchanged, or there are several tables.
std::string table_markdown(const nlohmann::ordered_json& document);

/// Heading, table, what is missing, and where it comes from: what OUT/NAME.md holds.
std::string page_markdown(const nlohmann::ordered_json& document);

/// The same, of a stored document. InvalidInput for a file that is none.
std::string page_of_file(const std::filesystem::path& file);

/// Every NAME.json of a folder, rendered to NAME.md beside it; returns the names. InvalidInput for a file
/// that is not such a document.
std::vector<std::string> render_folder(const std::filesystem::path& folder);

/// The page's text with everything between "<!-- result NAME -->" and "<!-- end of result NAME -->" replaced
/// by what NAME.json of the folder says. InvalidInput where an end or a document is missing.
std::string with_results(const std::string& page, const std::filesystem::path& folder);

}  // namespace dshn::experiments
