#pragma once

#include <cstdint>

#include "dshn/ops/dropout.hpp"

namespace dshn::nn {

/// The stream of random masks of one training run. A mask is a function of (seed, step, call within the step,
/// position) alone: it needs no state beyond the step number, is the same for any number of threads and on
/// any device. The step's key lives on the device, so that a recorded step can be played again.
class MaskStream {
 public:
  explicit MaskStream(std::uint64_t seed = 0, const at::Device& device = at::kCPU);
  /// Starts the masks of a training step (epoch).
  void start(std::uint64_t step);
  /// The next mask of this step.
  ops::MaskKey next() { return {step_key_, ++call_}; }

 private:
  std::uint64_t seed_;
  at::Tensor step_key_;
  std::int64_t call_ = 0;
};

/// Zeroes entries with probability p and scales the others by 1 / (1 - p). On planar signals [rows, d,
/// planes, f] both planes of an entry share one fate. The identity when p is 0.
at::Tensor dropout(const at::Tensor& x, double p, MaskStream& masks);

}  // namespace dshn::nn
