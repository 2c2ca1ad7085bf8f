#pragma once

#include <ATen/core/Tensor.h>

#include <complex>
#include <cstdint>
#include <span>

#include "dshn/sheaf/directed_sheaf.hpp"

/// Signals to try an operator on, as DirectedSheaf takes them, without libtorch's large headers.
namespace dshn::sheaf {

/// One everywhere, one channel.
at::Tensor constant_signal(const DirectedSheaf& sheaf);

/// Standard normal, real and imaginary parts alike, one channel.
at::Tensor random_signal(const DirectedSheaf& sheaf, std::uint64_t seed);

/// From numbers by rows, [n*d, channels] with row u*d + k for component k of node u. UsageError when there
/// are more or fewer.
at::Tensor signal_of(const DirectedSheaf& sheaf, std::span<const std::complex<double>> values,
                     std::int64_t channels);

/// x^dagger x of each channel, float64 [f].
at::Tensor squared_norms(const at::Tensor& x);

}  // namespace dshn::sheaf
