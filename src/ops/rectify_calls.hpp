#pragma once

#include <ATen/core/Tensor.h>

#include "dshn/ops/optional.hpp"

/// The end of a layer, for operators that have it as theirs.
namespace dshn::ops {

void check_rectify(const at::Tensor& y, const OptionalTensor& skip, double p, const OptionalTensor& step_key);

/// `name`: dshn::rectify, or dshn::_rectify below autograd.
at::Tensor call_rectify(const char* name, const at::Tensor& y, const OptionalTensor& skip, double p,
                        const OptionalTensor& step_key, std::int64_t call);

/// The gradient before it, from the one after it and what it gave.
at::Tensor rectify_gradient(const at::Tensor& g, const at::Tensor& out, double p);

}  // namespace dshn::ops
