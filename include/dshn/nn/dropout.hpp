#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace dshn::nn {

/// The stream of random masks of one training run. A mask is a function of (seed, step, call within the step,
/// position) alone: it needs no state beyond the step number, is the same for any number of threads and on
/// any device.
class MaskStream {
 public:
  explicit MaskStream(std::uint64_t seed = 0) : seed_(seed) {}
  /// Starts the masks of a training step (epoch).
  void start(std::uint64_t step);
  /// Key of the next mask of this step.
  std::uint64_t next();

 private:
  std::uint64_t seed_;
  std::uint64_t step_ = 0;
  std::uint64_t call_ = 0;
};

/// Zeroes entries with probability p and scales the others by 1 / (1 - p). On planar signals [rows, d,
/// planes, f] both planes of an entry share one fate. The identity when p is 0.
at::Tensor dropout(const at::Tensor& x, double p, MaskStream& masks);

}  // namespace dshn::nn
