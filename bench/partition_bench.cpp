// How much traffic a training on four ranks has, and how even its parts are, for every way to divide nodes: on data sets,
// and on hypergraphs with planted clusters whose nodes are in no order. With Zoltan, if this build has it, beside them.
// Usage: partition_bench [DATA...]        (names or folders of data sets)
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include "dshn/base/random.hpp"
#include "dshn/data/open.hpp"
#include "dshn/parts/divide.hpp"
#include "zoltan_parts.hpp"

namespace {

using namespace dshn;

constexpr int kParts = 4;
constexpr std::uint64_t kSeed = 1;

/// Hyperedges of 5 members of one cluster, of which one in 20 is drawn from all nodes instead.
Hypergraph planted(Index clusters) {
  constexpr Index kNodes = 20'000;
  constexpr Index kHyperedges = 20'000;
  constexpr std::size_t kMembers = 5;
  Random random(kSeed);
  std::vector<Index> edge;
  std::vector<Index> node;
  for (Index e = 0; e < kHyperedges; ++e) {
    const auto cluster = static_cast<Index>(random.below(static_cast<std::uint64_t>(clusters)));
    std::vector<Index> members;
    while (members.size() < kMembers) {
      const auto drawn = static_cast<Index>(random.below(kNodes));
      const bool stray = random.below(20) == 0;
      const Index v = stray ? drawn : drawn / clusters * clusters + cluster;
      if (v < kNodes && std::ranges::find(members, v) == members.end()) members.push_back(v);
    }
    node.insert(node.end(), members.begin(), members.end());
    edge.insert(edge.end(), kMembers, e);
  }
  return {kNodes, kHyperedges, {edge, node, {}}};
}

void print_row(const std::string& name, const Hypergraph& hypergraph) {
  std::string row = fmt::format("| {} | {} |", name, hypergraph.incidence_count());
  double seconds = 0;
  for (const std::string& word : parts::method_names()) {
    const parts::Method method = parts::method(word);
    if (method == parts::Method::metis && parts::best_method() != method) {
      row += " | |";
      continue;
    }
    const auto begin = std::chrono::steady_clock::now();
    const parts::Partition partition = parts::divide(hypergraph, kParts, method, kSeed);
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
    if (method == parts::best_method()) seconds = time.count();
    const parts::Cut cut = parts::measure(hypergraph, partition);
    row += fmt::format(" {} | {:.1f} % |", cut.traffic, 100 * cut.imbalance);
  }
  row += fmt::format(" {:.3f} |", seconds);
  if (bench::has_zoltan()) {
    const auto begin = std::chrono::steady_clock::now();
    const parts::Partition partition = bench::parts_by_zoltan(hypergraph, kParts, kSeed);
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
    const parts::Cut cut = parts::measure(hypergraph, partition);
    row += fmt::format(" {} | {:.1f} % | {:.3f} |", cut.traffic, 100 * cut.imbalance, time.count());
  }
  fmt::print("{}\n", row);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    std::string head = "| data | incidences |";
    std::string rule = "| --- | ---: |";
    for (const std::string& word : parts::method_names()) {
      head += fmt::format(" {} | imbalance |", word);
      rule += " ---: | ---: |";
    }
    head += fmt::format(" {}, s |", parts::method_name(parts::best_method()));
    rule += " ---: |";
    if (bench::has_zoltan()) {
      head += " zoltan | imbalance | zoltan, s |";
      rule += " ---: | ---: | ---: |";
    }
    fmt::print("{}\n{}\n", head, rule);
    for (int i = 1; i < argc; ++i)
      print_row(std::filesystem::path(argv[i]).filename().string(), data::open(argv[i]).hypergraph);
    for (const Index clusters : {4, 16}) print_row(fmt::format("{} clusters", clusters), planted(clusters));
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "partition_bench: {}\n", error.what());
    return 1;
  }
}
