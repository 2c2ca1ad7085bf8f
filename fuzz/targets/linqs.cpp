#include "dshn/io/load.hpp"
#include "fuzz/target.hpp"

namespace dshn::fuzz::linqs {
namespace {

std::vector<std::string> valid() {
  return {joined("p1\tp2\np2\tp9\n", "p1\t1\t0\tbooks\np2\t0\t0.5\tmaps\n"), joined("1 2\n", "1 a\n2 b\n"),
          joined("7\t8\n", "7\t1\tx\n8\t0\tx\n")};
}

std::vector<std::string> malformed() {
  return {"",
          joined("p1\tp2\n", ""),
          joined("p1\n", "p1\t1\tx\n"),
          joined("p1\tp1\n", "p1\t1\tx\np1\t0\tx\n"),
          joined("a\tb\n", "a\tword\tx\n"),
          joined("a\tb\n", "a\t1\t2\tx\nb\t1\tx\n")};
}

void read(std::string_view bytes) {
  const auto [citations, papers] = two_files(bytes);
  file_with(papers, "linqs.content");
  io::load(file_with(citations, "linqs.cites"));
}

}  // namespace

Target target() {
  return {"linqs", valid, malformed, read};
}

}  // namespace dshn::fuzz::linqs
