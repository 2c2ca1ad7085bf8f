#pragma once

#include "dshn/ops/dropout.hpp"
#include "dshn/ops/optional.hpp"

namespace dshn::ops {

/// What ends a layer, in one pass: dropout(complex_relu(y + skip)) of planar signals [rows, d, planes, f].
///
/// An entry is kept where its real part is above 0 (paper, 'Activation Function') and its mask says so, both
/// planes together; one that is not a number stays; see dropout.hpp for the mask. Without `skip` nothing is
/// added, with p = 0 no key is needed. Differentiable once in y and skip. Registered as dshn::rectify(Tensor
/// y, Tensor? skip, float p, Tensor? step_key, int call, Tensor? rows).
at::Tensor rectify(const at::Tensor& y, const OptionalTensor& skip, double p, const MaskKey& key);

}  // namespace dshn::ops
