#include "hypergraph/member_sampler.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_set>
#include <utility>
#include <vector>

namespace dshn {

MemberSampler::MemberSampler(Index node_count, DegreeLaw law, double degree_exponent)
    : node_count_(node_count),
      inverse_b_(law == DegreeLaw::uniform ? 1.0 : (degree_exponent - 1) / (degree_exponent - 2)) {}

void MemberSampler::draw(Random& random, std::span<Index> members) const {
  // Rejection finds a new node in a few draws as long as most of the weight is left.
  const bool sparse = static_cast<Offset>(members.size()) * 8 <= node_count_;
  const std::size_t placed = sparse ? place_by_rejection(random, members) : 0;
  if (placed < members.size()) place_by_keys(random, members, placed);
  // Heavy nodes tend to come first; the roles, dealt out by position, must not follow the degrees.
  if (inverse_b_ != 1.0) random.shuffle(members);
}

Index MemberSampler::draw_one(Random& random) const {
  if (inverse_b_ == 1.0) return static_cast<Index>(random.below(node_count_));
  const double place = std::pow(random.uniform(), inverse_b_) * node_count_;
  return std::min(static_cast<Index>(place), node_count_ - 1);
}

/// Gives up, and tells how many members it has found, when one node has nearly all the weight.
std::size_t MemberSampler::place_by_rejection(Random& random, std::span<Index> members) const {
  constexpr std::size_t kScan = 32;  // up to here a look at all members beats a hash table
  std::unordered_set<Index> seen;
  std::size_t placed = 0;
  for (std::size_t left = 64 + 16 * members.size(); left > 0 && placed < members.size(); --left) {
    const Index v = draw_one(random);
    const auto before = members.first(placed);
    const bool fresh = members.size() <= kScan ? std::find(before.begin(), before.end(), v) == before.end()
                                               : seen.insert(v).second;
    if (fresh) members[placed++] = v;
  }
  return placed;
}

/// The smallest of the keys exponential / weight are a successive sample without replacement: the same
/// distribution as by rejection, in time proportional to the number of nodes. The first `placed` members are
/// there already.
void MemberSampler::place_by_keys(Random& random, std::span<Index> members, std::size_t placed) const {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  std::vector<std::pair<double, Index>> keys(node_count_);
  double before = 0;
  for (Index v = 0; v < node_count_; ++v) {
    const double up_to = std::pow(static_cast<double>(v + 1) / node_count_, 1 / inverse_b_);
    keys[v] = {-std::log1p(-random.uniform()) / std::max(up_to - before, std::numeric_limits<double>::min()),
               v};
    before = up_to;
  }
  for (const Index v : members.first(placed)) keys[v].first = kNever;
  const auto missing = static_cast<Offset>(members.size() - placed);
  std::partial_sort(keys.begin(), keys.begin() + missing, keys.end());
  for (Offset i = 0; i < missing; ++i) members[placed + i] = keys[i].second;
}

}  // namespace dshn
