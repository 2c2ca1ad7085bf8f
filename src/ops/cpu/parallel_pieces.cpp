// The one file that is compiled with OpenMP: without it the loop in libtorch's header runs on one thread.
#include <ATen/Parallel.h>

#include "ops/cpu/parallel_rows.hpp"

#if AT_PARALLEL_OPENMP && !defined(_OPENMP)
#error "this libtorch runs on OpenMP: compile this file with it"
#endif

namespace dshn::ops::cpu {

void parallel_pieces(std::int64_t pieces, const std::function<void(std::int64_t, std::int64_t)>& body) {
#ifdef __SANITIZE_THREAD__
  dshn::parallel_for(pieces, 1, body);
#else
  at::parallel_for(0, pieces, 1, body);
#endif
}

int threads() {
  return at::get_num_threads();
}

}  // namespace dshn::ops::cpu
