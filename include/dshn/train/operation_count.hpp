#pragma once

#include <functional>

namespace dshn::train {

/// Real additions and multiplications of some work.
struct Operations {
  double products = 0;  // of matrices
  double sweeps = 0;    // sums over members and over hyperedges, with their maps and phases
  double all() const { return products + sweeps; }
};

/// Counted operator by operator while the work runs. Element-wise operations are not counted.
Operations count_operations(const std::function<void()>& work);

}  // namespace dshn::train
