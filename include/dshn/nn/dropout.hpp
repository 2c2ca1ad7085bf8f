#pragma once

#include <cstdint>

#include "dshn/ops/dropout.hpp"
#include "dshn/ops/incidence.hpp"

namespace dshn::nn {

/// What the rows of a tensor stand for.
enum class Rows : std::uint8_t { nodes, edges, incidences };

/// The stream of random masks of one training run. A mask is a function of (seed, step, call within the step,
/// position) alone: it needs no state beyond the step number, is the same for any number of threads and on
/// any device. The step's key lives on the device, so that a recorded step can be played again.
class MaskStream {
 public:
  explicit MaskStream(std::uint64_t seed = 0, const at::Device& device = at::kCPU);
  /// Starts the masks of a training step (epoch).
  void start(std::uint64_t step);
  /// Rows are those of these incidences: of a part of a hypergraph, the masks of all of it are drawn.
  void number_rows(const ops::Incidence& incidence);
  /// The next mask of this step.
  ops::MaskKey next(Rows rows);

  /// A stream of its own at this place: what becomes of this one does not move it.
  MaskStream fork() const;
  /// How many masks of this step were taken.
  std::int64_t taken() const { return call_; }
  /// Goes to where so many were taken.
  void go_to(std::int64_t taken) { call_ = taken; }

 private:
  ops::Incidence incidence_;
  std::uint64_t seed_;
  at::Tensor step_key_;
  std::int64_t call_ = 0;
};

/// Zeroes entries with probability p and scales the others by 1 / (1 - p). On planar signals [rows, d,
/// planes, f] both planes of an entry share one fate. The identity when p is 0.
at::Tensor dropout(const at::Tensor& x, double p, Rows rows, MaskStream& masks);

}  // namespace dshn::nn
