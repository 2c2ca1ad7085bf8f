#pragma once

#include <ATen/core/Tensor.h>

#include <optional>
#include <sstream>
#include <string>

#include "dshn/hypergraph/error.hpp"
#include "dshn/ops/incidence.hpp"

namespace dshn::ops {

/// Throws UsageError "<argument>: expected <expected>, got <got>" unless the condition holds.
template <typename Got>
void check(bool condition, const char* argument, const std::string& expected, const Got& got) {
  if (condition) return;
  std::ostringstream message;
  message << argument << ": expected " << expected << ", got " << got;
  throw UsageError(message.str());
}

/// "float32 [3, 4] on cpu", for messages.
std::string describe(const at::Tensor& tensor);

/// The seven tensors of an incidence: types, lengths that fit together, one device.
void check_incidence(const Incidence& incidence);

/// Floating point, contiguous dimensions as given (-1: any), on the device of the incidences.
void check_tensor(const at::Tensor& tensor, const char* argument, at::IntArrayRef shape,
                  const Incidence& incidence);

/// As check_tensor, and of the same type as `like`.
void check_like(const at::Tensor& tensor, const char* argument, at::IntArrayRef shape, const at::Tensor& like,
                const Incidence& incidence);

}  // namespace dshn::ops
