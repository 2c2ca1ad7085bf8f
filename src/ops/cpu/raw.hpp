#pragma once

#include <ATen/core/Tensor.h>

#include "dshn/ops/incidence.hpp"
#include "ops/cpu/raw_view.hpp"

namespace dshn::ops::cpu {

inline RawView raw(const View& view) {
  return {view.ptr.data_ptr<std::int64_t>(), view.split.data_ptr<std::int64_t>(),
          view.index.data_ptr<std::int32_t>(),
          view.position.numel() == 0 ? nullptr : view.position.data_ptr<std::int64_t>()};
}

}  // namespace dshn::ops::cpu
