#pragma once

#include "ops/kernels.hpp"

/// What becomes of sums over the members of a hyperedge where other parts have members too (see
/// dshn/ops/exchange.hpp). Without parts everything here is the kernel itself.
namespace dshn::ops {

inline bool in_parts(Over over, const Incidence& incidence) {
  return over == Over::edges && incidence.exchange() != nullptr;
}

/// reduce_kernel over the members in all parts. Of equal maxima in several parts, that of the first part wins.
TensorPair reduce_in_parts(const at::Tensor& rows, const OptionalTensor& coefficients, bool by_incidence,
                           Over over, Reduce reduce, const Incidence& incidence);

/// The gradient of such a result, from what each part's use of it gives: their sum.
at::Tensor gradient_in_parts(const at::Tensor& gradient, Over over, const Incidence& incidence);

/// softmax_kernel over the members in all parts.
at::Tensor softmax_in_parts(const at::Tensor& values, const OptionalTensor& gradient, Over over,
                            const Incidence& incidence);

}  // namespace dshn::ops
