#pragma once

#include <vector>

#include "dshn/base/random.hpp"
#include "dshn/hypergraph/generators.hpp"

namespace dshn {

/// The distribution of hyperedge sizes as a table of cumulative probabilities over 1..max_size.
class SizeTable {
 public:
  /// Throws UsageError when the law cannot have the mean.
  SizeTable(SizeLaw law, double mean, Index max_size);

  Index draw(Random& random) const;

 private:
  std::vector<double> cumulative_;
};

}  // namespace dshn
