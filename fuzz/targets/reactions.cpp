#include "fuzz/targets/lists.hpp"

namespace dshn::fuzz::reactions {
namespace {

std::vector<std::string> valid() {
  return {"a b -> c\nc -> a\n", "r1: 2 a + b -> c\nr2: c => 0.5 \"d e\" + a\n",
          "a, b \xe2\x86\x92 c\n# comment\n-> a\n"};
}

std::vector<std::string> malformed() {
  return {"", "a b c\n", "a -> b -> c\n", "a <-> b\n", "->\n", "a + -> b\n", "r: a -> b\nc -> d\n"};
}

void read(std::string_view bytes) {
  io::LoadOptions options;
  options.text_kind = io::TextKind::reactions;
  read_list(bytes, ".reactions", options);
}

}  // namespace

Target target() {
  return {"reactions", valid, malformed, read};
}

}  // namespace dshn::fuzz::reactions
