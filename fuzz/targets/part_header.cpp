// parts.json of a folder of parts.
#include "fuzz/target.hpp"
#include "parts/folder_header.hpp"

namespace dshn::fuzz::part_header {
namespace {

std::vector<std::string> valid() {
  return {parts::to_json({4, 3, 4, {{"00ff", "1234"}, {"", "x"}}, "{\"seed\": 1}"}),
          parts::to_json({0, 0, 0, {{"a", "b"}}, "\xc3\xa9"})};
}

std::vector<std::string> malformed() {
  return {"", "{}", R"({"format": "dshn-parts", "version": 2})", parts::to_json({4, 3, 4, {}, ""}),
          parts::to_json({4, 3, -1, {{"a", "b"}}, ""})};
}

void read(std::string_view bytes) {
  const std::string text = parts::to_json(parts::header_from(std::string(bytes), "parts.json"));
  require(parts::to_json(parts::header_from(text, "copy")) == text, "what is written is read again");
}

}  // namespace

Target target() {
  return {"part_header", valid, malformed, read};
}

}  // namespace dshn::fuzz::part_header
