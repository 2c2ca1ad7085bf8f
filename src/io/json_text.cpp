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

/// Stops appending, and only checks, once the limit is passed.
class Copier {
 public:
  Copier(JsonReader& reader, std::size_t limit) : reader_(reader), limit_(limit) {}

  std::string copy() {
    value();
    return full() ? std::string() : std::move(out_);
  }

 private:
  bool full() const { return out_.size() > limit_; }

  void value() {
    if (full()) return reader_.skip();
    switch (reader_.kind()) {
      case JsonKind::object:
        return object();
      case JsonKind::array:
        return array();
      case JsonKind::string:
        return append_json_string(out_, reader_.string());
      case JsonKind::number:
        out_ += reader_.number().text;
        return;
      case JsonKind::boolean:
        out_ += reader_.boolean() ? "true" : "false";
        return;
      case JsonKind::null:
        break;
    }
    reader_.null();
    out_ += "null";
  }

  void object() {
    out_ += '{';
    reader_.begin_object();
    for (bool first = true; reader_.next_key(); first = false) {
      if (!full()) {
        if (!first) out_ += ',';
        append_json_string(out_, reader_.key());
        out_ += ':';
      }
      value();
    }
    out_ += '}';
  }

  void array() {
    out_ += '[';
    reader_.begin_array();
    for (bool first = true; reader_.next_element(); first = false) {
      if (!first && !full()) out_ += ',';
      value();
    }
    out_ += ']';
  }

  JsonReader& reader_;
  std::size_t limit_;
  std::string out_;
};

}  // namespace

std::string copy_json(JsonReader& reader, std::size_t limit) {
  return Copier(reader, limit).copy();
}

}  // namespace dshn::io
