#include "dshn/train/operation_count.hpp"

#include "experiments/cost.hpp"

namespace dshn::experiments {

double count_operations(const std::function<void()>& work) {
  return train::count_operations(work).all();
}

}  // namespace dshn::experiments
