// diag(p), p of length d.
#include <ATen/ATen.h>

#include "dshn/sheaf/maps.hpp"

namespace dshn::sheaf {

MapKind diagonal_maps() {
  return {.name = "diagonal",
          .length = [](std::int64_t d, std::int64_t) { return d; },
          .maps = [](const at::Tensor& p, std::int64_t, std::int64_t) { return p; },
          .scalar = true};
}

}  // namespace dshn::sheaf
