#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace dshn::ops {

/// Which random mask: number `call` of the step whose key is in `step_key` (one Long, on the device of what
/// is masked). The key is read where the mask is made, so a recorded step can be played again with another
/// key.
struct MaskKey {
  at::Tensor step_key;
  std::int64_t call = 0;
  /// Long [rows], where what is masked are some rows of a larger array: their numbers in it. CPU alone. Undefined: row
  /// r is number r.
  at::Tensor rows{};

  /// The key of these rows (Long) of what this one masks.
  MaskKey of_rows(const at::Tensor& numbers) const;
};

/// The key of a step, for MaskKey::step_key.
std::int64_t step_key(std::uint64_t seed, std::uint64_t step);

/// x with entries zeroed with probability p in [0, 1) and the rest scaled by 1 / (1 - p); differentiable.
///
/// The fate of an entry is a hash of (key, its number), so the mask is never stored and is the same for any
/// number of threads and on any device. x is read as [.., planes, channels]: entries that differ only in
/// their plane share a number. Registered as dshn::dropout(Tensor x, float p, Tensor step_key, int call, int
/// planes, int channels, Tensor? rows).
at::Tensor dropout(const at::Tensor& x, double p, const MaskKey& key, std::int64_t planes,
                   std::int64_t channels);

/// dropout of some entries of a larger array alone: values [k] and their numbers in it, Long [k]. No
/// gradients. Registered as dshn::dropout_at(Tensor values, Tensor numbers, float p, Tensor step_key, int
/// call).
at::Tensor dropout_at(const at::Tensor& values, const at::Tensor& numbers, double p, const MaskKey& key);

}  // namespace dshn::ops
