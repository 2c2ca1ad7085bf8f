#pragma once

#include <ATen/core/Tensor.h>
#include <c10/util/Optional.h>
#include <torch/version.h>

#include <optional>

namespace dshn::ops {

// The dispatcher's own optional type: c10's in libtorch 1.13, the standard one in current versions.
#if TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 6)
using OptionalTensor = std::optional<at::Tensor>;
#else
using OptionalTensor = c10::optional<at::Tensor>;
#endif

}  // namespace dshn::ops
