#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

namespace dshn::report {

/// The document in a file. InvalidInput names the byte where it is none; `writer` says who should have written
/// one there: "training", "a search".
nlohmann::ordered_json read_json(const std::filesystem::path& file, const std::string& writer);

/// InvalidInput names `where`, which stands for a line or a file.
nlohmann::ordered_json parse_json(const std::string& text, const std::string& where,
                                  const std::string& writer);

/// Whether there is {"mean": number} under the name, with a number as "std" where it has one.
bool has_figure(const nlohmann::ordered_json& document, const char* name);

/// The entries with these names, as far as they are there.
nlohmann::ordered_json pick(const nlohmann::ordered_json& document, std::initializer_list<const char*> names);

/// Five digits: what a chart needs, in a third of the bytes.
double short_number(double value);

/// The last part of a path, with or without a slash at its end: a page does not name a machine's folders.
std::string folder_name(const std::filesystem::path& folder);

}  // namespace dshn::report
