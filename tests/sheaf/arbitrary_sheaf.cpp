#include <ATen/ATen.h>
#include <rapidcheck.h>

#include "sheaf/random_sheaf.hpp"

namespace dshn::test {
namespace {

Eigen::MatrixXd random_map(const sheaf::MapKind& kind, std::int64_t d, bool may_be_singular, Random& random) {
  const at::Tensor maps = sheaf::random_maps(kind, 1, d, random);
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(d, d);
  for (std::int64_t a = 0; a < d; ++a) {
    for (std::int64_t b = 0; b < d; ++b) {
      if (maps.dim() == 3)
        result(a, b) = maps[0][a][b].item<double>();
      else if (a == b)
        result(a, b) = maps[0][maps.size(1) == 1 ? 0 : a].item<double>();
    }
  }
  if (!may_be_singular || random.below(2) == 0) return result;
  if (random.below(2) == 0 || kind.name == "trivial") return 0 * result;
  result.rightCols(d - 1).setZero();
  return result;
}

std::vector<Index> arbitrary_members(Index n, Random& random) {
  const auto how = random.below(5);
  if (how == 0) return random.sample(n, 1);
  if (how == 1) return random.sample(n, n);
  return random.sample(n, static_cast<std::int32_t>(1 + random.below(n)));
}

}  // namespace

ListedSheaf arbitrary_sheaf() {
  ListedSheaf listed;
  listed.n = *rc::gen::inRange<Index>(1, 8).as("nodes");
  const int edges = *rc::gen::inRange(0, 7).as("hyperedges");
  listed.d = *rc::gen::inRange<std::int64_t>(1, 7).as("d");
  listed.kind =
      sheaf::map_kinds()[*rc::gen::inRange<std::size_t>(0, sheaf::map_kinds().size()).as("map kind")];
  listed.q = *rc::gen::inRange(-100, 101).as("100 q") / 100.0;
  Random random(*rc::gen::arbitrary<std::uint64_t>().as("seed"));
  const bool isolated = listed.n > 1 && random.below(2) == 0;
  const bool may_be_singular = random.below(4) == 0;
  const bool weighted = random.below(3) == 0;
  const bool repeated = random.below(3) == 0;
  for (int e = 0; e < edges; ++e) {
    std::vector<Member> members;
    const bool repeat = e > 0 && random.below(4) == 0;
    const bool undirected = random.below(3) == 0;
    std::vector<Index> nodes = arbitrary_members(isolated ? listed.n - 1 : listed.n, random);
    if (repeat) {
      nodes.clear();
      for (const Member& member : listed.edges.back()) nodes.push_back(member.node);
    }
    for (const Index node : nodes) {
      const Role role = undirected || random.below(2) == 0 ? Role::tail : Role::head;
      members.push_back({node, role, random_map(listed.kind, listed.d, may_be_singular, random),
                         repeated ? 0.2 + 3 * random.uniform() : 1.0});
    }
    listed.edges.push_back(members);
    if (weighted) listed.weights.push_back(0.1 + 3 * random.uniform());
  }
  return listed;
}

}  // namespace dshn::test
