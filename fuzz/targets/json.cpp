// Our reader of JSON against another one: what it takes must be JSON, and what it copies the same document.
#include <nlohmann/json.hpp>

#include "fuzz/target.hpp"
#include "io/json_reader.hpp"
#include "io/json_text.hpp"

namespace dshn::fuzz::json {
namespace {

using nlohmann::json;

std::vector<std::string> valid() {
  return {R"({"a": [1, -2.5e3, true, false, null, "x\u00e9\n\ud83d\ude00"], "b": {}, "": []})",
          " 0 ",
          "\"\"",
          "[[[[[]]]]]",
          "-0.0e-0",
          "[9223372036854775807, 1e400, 123456789012345678901234567890]"};
}

std::vector<std::string> malformed() {
  return {"",    "{",           "[1,]",     "{\"a\":1,}", "01",  "1.",
          "nul", "\"\\ud800\"", "\"\x01\"", "\"\xff\"",   "1 2", std::string(1001, '[')};
}

/// Takes every value by the call that fits its kind.
void walk(io::JsonReader& reader) {
  switch (reader.kind()) {
    case io::JsonKind::object:
      reader.begin_object();
      while (reader.next_key()) walk(reader);
      break;
    case io::JsonKind::array:
      reader.begin_array();
      while (reader.next_element()) walk(reader);
      break;
    case io::JsonKind::string:
      reader.string();
      break;
    case io::JsonKind::number: {
      std::int64_t integer = 0;
      double real = 0;
      if (reader.take_integer(integer)) break;
      const io::JsonNumber number = reader.number();
      number.to_integer(integer);
      number.to_double(real);
      break;
    }
    case io::JsonKind::boolean:
      reader.boolean();
      break;
    case io::JsonKind::null:
      reader.null();
      break;
  }
}

/// A small chunk, so that its ends fall anywhere.
template <typename Action>
void with_reader(std::string_view bytes, const Action& action) {
  const auto source = io::view_bytes(bytes, "file");
  io::JsonReader reader(*source, {}, 16);
  action(reader);
  reader.finish();
}

/// Numbers beyond a double are JSON, and yet nlohmann does not take them.
bool is_json(std::string_view text) {
  try {
    return !json::parse(text).is_discarded();
  } catch (const json::out_of_range&) {
    return true;
  } catch (const json::parse_error&) {
    return false;
  }
}

void read(std::string_view bytes) {
  with_reader(bytes, walk);
  require(is_json(bytes), "what is read is JSON");
  with_reader(bytes, [](io::JsonReader& reader) { reader.skip(); });
  std::string copy;
  with_reader(bytes, [&](io::JsonReader& reader) { copy = io::copy_json(reader, bytes.size() + 1); });
  if (copy.empty()) return;  // escapes may make it longer
  const json whole = json::parse(bytes, nullptr, false);
  require(whole.is_discarded() || whole == json::parse(copy, nullptr, false), "a copy is the same document");
}

}  // namespace

Target target() {
  return {"json", valid, malformed, read};
}

}  // namespace dshn::fuzz::json
