#pragma once

#include <span>

#include "dshn/base/random.hpp"
#include "dshn/hypergraph/generators.hpp"

namespace dshn {

/// Draws the members of a hyperedge: distinct nodes one after the other, each in proportion to its weight
/// among those not yet drawn. Under the power law node r has the weight ((r+1)/n)^b - (r/n)^b with
/// b = (t-2)/(t-1), which gives degrees whose distribution falls with exponent t; under the uniform law b = 1.
class MemberSampler {
 public:
  MemberSampler(Index node_count, DegreeLaw law, double degree_exponent);

  /// Fills `members`, in random order. There are no more of them than nodes.
  void draw(Random& random, std::span<Index> members) const;

 private:
  Index draw_one(Random& random) const;
  std::size_t place_by_rejection(Random& random, std::span<Index> members) const;
  void place_by_keys(Random& random, std::span<Index> members, std::size_t placed) const;

  Index node_count_;
  double inverse_b_;
};

}  // namespace dshn
