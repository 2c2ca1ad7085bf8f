#include "io/json_text.hpp"

#include <fmt/format.h>

#include <utility>

#include "dshn/base/utf8.hpp"

namespace dshn::io {

namespace {

constexpr std::size_t kExcerptBytes = 40;

/// One byte as it stands inside the quotes.
void append_escaped(std::string& out, char c) {
  const auto byte = static_cast<unsigned char>(c);
  if (c == '"' || c == '\\') {
    out += '\\';
    out += c;
  } else if (c == '\n') {
    out += "\\n";
  } else if (c == '\t') {
    out += "\\t";
  } else if (byte < 0x20) {
    out += fmt::format("\\u{:04x}", byte);
  } else {
    out += c;
  }
}

}  // namespace

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) append_escaped(out, c);
  out += '"';
}

std::string excerpt(std::string_view text) {
  std::string out;
  std::size_t at = 0;
  while (at < text.size() && at < kExcerptBytes) {
    const std::size_t length = first_code_point(text.substr(at)).bytes;
    if (length == 0) break;
    for (const char c : text.substr(at, length)) append_escaped(out, c);
    at += length;
  }
  return at < text.size() ? out + "..." : out;
}

namespace {

/// Once the text is longer than the limit, the rest is only checked.
void copy_value(JsonReader& reader, std::string& out, std::size_t limit) {
  if (out.size() > limit) return reader.skip();
  const JsonKind kind = reader.kind();
  if (kind == JsonKind::string) return append_json_string(out, reader.string());
  if (kind == JsonKind::number) {
    out += reader.number().text;
  } else if (kind == JsonKind::boolean) {
    out += reader.boolean() ? "true" : "false";
  } else if (kind == JsonKind::null) {
    reader.null();
    out += "null";
  } else {
    const bool object = kind == JsonKind::object;
    object ? reader.begin_object() : reader.begin_array();
    char before = object ? '{' : '[';
    for (; object ? reader.next_key() : reader.next_element(); before = ',') {
      if (out.size() <= limit) {
        out += before;
        if (object) append_json_string(out, reader.key());
        if (object) out += ':';
      }
      copy_value(reader, out, limit);
    }
    if (before != ',') out += before;
    out += object ? '}' : ']';
  }
}

}  // namespace

std::string copy_json(JsonReader& reader, std::size_t limit) {
  std::string out;
  copy_value(reader, out, limit);
  return out.size() > limit ? std::string() : out;
}

}  // namespace dshn::io
