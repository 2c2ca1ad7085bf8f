#include "dshn/io/load.hpp"
#include "fuzz/target.hpp"

namespace dshn::fuzz::webkb {
namespace {

const std::string kHeader = "node_id\tfeature\tlabel\n";

std::vector<std::string> valid() {
  return {joined("node_id\tnode_id\n0\t1\n1\t0\n", kHeader + "1\t0,1\t2\n0\t1,1\t0\n"),
          joined("0\t0\n", kHeader + "0\t0.5\t-1\n")};
}

std::vector<std::string> malformed() {
  return {"",
          joined("0\t1\n", kHeader + "0\t1\t0\n"),
          joined("0\t0\n", kHeader + "7\t1\t0\n"),
          joined("0\n", kHeader + "0\t1\t0\n"),
          joined("0\t0\n", kHeader + "0\tx\t0\n"),
          joined("0\t0\n", kHeader + "0\t1,2\t0\n1\t1\t0\n")};
}

void read(std::string_view bytes) {
  const auto [arcs, nodes] = two_files(bytes);
  std::filesystem::create_directory(scratch() / "webkb");
  file_with(arcs, "webkb/out1_graph_edges.txt");
  file_with(nodes, "webkb/out1_node_feature_label.txt");
  io::load(scratch() / "webkb");
}

}  // namespace

Target target() {
  return {"webkb", valid, malformed, read};
}

}  // namespace dshn::fuzz::webkb
