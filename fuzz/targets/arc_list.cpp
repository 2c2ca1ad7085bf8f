#include "fuzz/targets/lists.hpp"

namespace dshn::fuzz::arc_list {
namespace {

std::vector<std::string> valid() {
  return {"0 1\n1 2\n2 0\n", "from,to,weight\na,b,1.5\nb,c,2\n", "1 2 {'weight': 3.5}\n2 3 {}\n",
          "#% dshn arc list 1\n#% node z\na\tb\n"};
}

std::vector<std::string> malformed() {
  return {"", "0\n", "0 1 2 3\n", "a b -1\n", "1 2 {'weight': }\n"};
}

void read(std::string_view bytes) {
  io::LoadOptions options;
  options.text_kind = io::TextKind::arcs;
  read_list(bytes, ".arcs", options);
}

}  // namespace

Target target() {
  return {"arc_list", valid, malformed, read};
}

}  // namespace dshn::fuzz::arc_list
