#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "dshn/io/json_shape.hpp"

namespace dshn::report {

/// The document in a file (io::parse_json).
nlohmann::ordered_json read_json(const std::filesystem::path& file, const std::string& writer);

/// InvalidInput where the document has not the shape; `what` it should be is said: "the result of a run".
void check_shape(const nlohmann::ordered_json& document, const io::Shape& shape,
                 const std::filesystem::path& file, const std::string& what);

/// Whether there is {"mean": number} under the name, with a number as "std" where it has one.
bool has_figure(const nlohmann::ordered_json& document, const char* name);

/// The entries with these names, as far as they are there.
nlohmann::ordered_json pick(const nlohmann::ordered_json& document, std::initializer_list<const char*> names);

/// Five digits: what a chart needs, in a third of the bytes.
double short_number(double value);

/// The last part of a path, with or without a slash at its end: a page does not name a machine's folders.
std::string folder_name(const std::filesystem::path& folder);

}  // namespace dshn::report
