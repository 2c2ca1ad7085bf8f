#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace dshn::report {

/// Script and style of the page, as the build of web/ leaves them.
struct Bundle {
  std::string script;
  std::string style;
};

/// From DSHN_SHARE_DIR or, where that is not set, share/dshn beside the program's folder. Failure that says
/// how to get them when they are not there.
Bundle find_bundle();

/// Text inside an element or a quoted attribute.
std::string html_text(const std::string& text);

/// JSON that can stand inside a script element: no byte of it is '<', '>' or '&', and what is not UTF-8 is replaced.
std::string script_json(const nlohmann::ordered_json& document);

/// One file that needs no other: title, data, style and script.
std::string page(const std::string& title, const nlohmann::ordered_json& document, const Bundle& bundle);

}  // namespace dshn::report
