#pragma once

#include <cstdint>

namespace dshn::ops::cpu {

/// One incidence view (see dshn::ops::View), as the kernels read it. A null position means that entry i is
/// incidence i.
struct RawView {
  const std::int64_t* ptr;
  const std::int64_t* split;
  const std::int32_t* index;
  const std::int64_t* position;

  std::int64_t incidence(std::int64_t entry) const { return position == nullptr ? entry : position[entry]; }
};

}  // namespace dshn::ops::cpu
