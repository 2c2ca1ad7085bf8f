#include "fuzz/samples.hpp"
#include "fuzz/targets/lists.hpp"

namespace dshn::fuzz::hyperedge_list {
namespace {

std::vector<std::string> valid() {
  io::write_hyperedge_list(mixed_hypergraph(), scratch() / "seed.csv");
  io::write_hyperedge_list(plain_hypergraph(), scratch() / "seed.tsv");
  return {content_of(scratch() / "seed.csv"),
          content_of(scratch() / "seed.tsv"),
          "hyperedge,node,role,weight\n0,1,tail,2\n0,2,head,\n",
          "node;hyperedge\na;x\nb;x\n",
          "0 1\n0 2\n1 2\n",
          "source,target,weight\n0,1,0.5\n1,2,1\n",
          "#% dshn hyperedge list 1\n#% nodes 3\n#% hyperedge e 0.5\ne 1\n",
          "r1: a b -> c\n"};
}

std::vector<std::string> malformed() {
  return {"",
          "#% dshn hyperedge list 1\n#% nodes -1\n0 1\n",
          "#% dshn hyperedge list 9\n0 1\n",
          "hyperedge,node,role\n0,1,up\n",
          "hyperedge,node,role\n0,1,tail\n0,1,head\n",
          "hyperedge,node,weight\n0,1,nan\n"};
}

void read(std::string_view bytes) {
  read_list(bytes, ".csv", {});
}

}  // namespace

Target target() {
  return {"hyperedge_list", valid, malformed, read};
}

}  // namespace dshn::fuzz::hyperedge_list
