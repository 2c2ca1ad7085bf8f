// The d x d entries of p, by rows.
#include <ATen/ATen.h>

#include "dshn/sheaf/maps.hpp"

namespace dshn::sheaf {

MapKind general_maps() {
  return {.name = "general",
          .length = [](std::int64_t d, std::int64_t) { return d * d; },
          .maps =
              [](const at::Tensor& p, std::int64_t d, std::int64_t) {
                return p.reshape({p.size(0), d, d});
              }};
}

}  // namespace dshn::sheaf
