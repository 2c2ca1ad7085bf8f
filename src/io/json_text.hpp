#pragma once

#include <string>
#include <string_view>

#include "io/json_reader.hpp"

namespace dshn::io {

/// Appends `text` in quotes with the escapes JSON needs. The text must be UTF-8.
void append_json_string(std::string& out, std::string_view text);

/// The start of a text for a message: one line, no control characters, cut between characters.
std::string excerpt(std::string_view text);

/// Takes the reader's next value and returns it without white space; empty if that is longer than `limit`
/// bytes.
std::string copy_json(JsonReader& reader, std::size_t limit);

}  // namespace dshn::io
