#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace dshn::ops {

/// x with entries zeroed with probability p in [0, 1) and the rest scaled by 1 / (1 - p); differentiable.
///
/// The fate of an entry is a hash of (key, its number), so the mask is never stored and is the same for any
/// number of threads and on any device. x is read as [.., planes, channels]: entries that differ only in
/// their plane share a number. Registered as dshn::dropout(Tensor x, float p, int key, int planes, int
/// channels).
at::Tensor dropout(const at::Tensor& x, double p, std::int64_t key, std::int64_t planes,
                   std::int64_t channels);

}  // namespace dshn::ops
