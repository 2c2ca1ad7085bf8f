#pragma once

#include <ATen/core/Tensor.h>

#include <optional>
#include <sstream>
#include <string>

#include "dshn/base/error.hpp"
#include "dshn/ops/dropout.hpp"
#include "dshn/ops/incidence.hpp"
#include "dshn/ops/optional.hpp"

namespace dshn::ops {

/// Throws UsageError "<argument>: expected <expected>, got <got>" unless the condition holds.
template <typename Got>
void check(bool condition, const char* argument, const std::string& expected, const Got& got) {
  if (condition) return;
  std::ostringstream message;
  message << argument << ": expected " << expected << ", got " << got;
  throw UsageError(message.str());
}

/// "Float [3, 4] on cpu", for messages.
std::string describe(const at::Tensor& tensor);

/// One dimension, of this type, length and device.
void check_index(const at::Tensor& tensor, const char* argument, at::ScalarType type, std::int64_t length,
                 const at::Device& device);

/// Float or Double, dimensions as given (-1: any), on the device of the incidences.
void check_tensor(const at::Tensor& tensor, const char* argument, at::IntArrayRef shape,
                  const Incidence& incidence);

/// As check_tensor, and of the same type as `like`, which the message calls `like_what`.
void check_like(const at::Tensor& tensor, const char* argument, at::IntArrayRef shape, const at::Tensor& like,
                const char* like_what, const Incidence& incidence);

/// A planar signal [rows, d, planes, f], Float or Double.
void check_planar(const at::Tensor& signal, const char* argument);

/// A probability in [0, 1) and the key of a step: one Long on the device of x.
void check_mask(double p, const MaskKey& key, const at::Tensor& x);

/// What the end of a layer takes.
void check_rectify(const at::Tensor& y, const OptionalTensor& skip, double p, const MaskKey& key);

/// [nnz, k] or [nnz, d, d].
void check_maps(const at::Tensor& maps, const Incidence& incidence);

/// Absent, or [m] of the type of the maps; on the CPU also finite and positive.
void check_weight(const OptionalTensor& weight, const at::Tensor& maps, const Incidence& incidence);

}  // namespace dshn::ops
