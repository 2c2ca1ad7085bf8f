#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/grad_mode.h>

#include "dshn/base/error.hpp"
#include "dshn/ops/optional.hpp"

namespace dshn::ops {

/// Typed handle of a registered operator: C++ and Python go through the same door.
template <typename Signature>
auto registered(const char* name) {
  return c10::Dispatcher::singleton().findSchemaOrThrow(name, "").typed<Signature>();
}

/// Backward formulas here are not themselves differentiable: autograd asks for that by keeping gradients
/// enabled.
inline void refuse_double_backward(const char* op) {
  if (at::GradMode::is_enabled()) {
    throw UsageError(
        std::string(op) +
        ": no second derivative is implemented; call backward without create_graph (or detach the "
        "gradient first)");
  }
}

inline OptionalTensor contiguous(const OptionalTensor& tensor) {
  return tensor.has_value() ? OptionalTensor(tensor->contiguous()) : tensor;
}

/// The tensor, or an undefined one.
inline at::Tensor value_or_undefined(const OptionalTensor& tensor) {
  return tensor.has_value() ? *tensor : at::Tensor();
}
inline OptionalTensor optional_of(const at::Tensor& tensor) {
  return tensor.defined() ? OptionalTensor(tensor) : OptionalTensor();
}

}  // namespace dshn::ops
