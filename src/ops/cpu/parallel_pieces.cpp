// The one file that is compiled with OpenMP: without it the loop in libtorch's header runs on one thread.
#include "dshn/ops/parallel_pieces.hpp"

#include <ATen/Parallel.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include "ops/cpu/work_pieces.hpp"

#if AT_PARALLEL_OPENMP && !defined(_OPENMP)
#error "this libtorch runs on OpenMP: compile this file with it"
#endif

namespace dshn::ops::cpu {
namespace {

/// A BLAS inside of a parallel loop runs on one thread; outside of it, where there is one piece alone, it is told
/// to, so that its sums are the same either way.
class OneThreadForBlas {
 public:
#ifdef _OPENMP
  OneThreadForBlas() : before_(omp_get_max_threads()) {
    omp_set_num_threads(1);
  }
  ~OneThreadForBlas() {
    omp_set_num_threads(before_);
  }
#else
  OneThreadForBlas() = default;
  ~OneThreadForBlas() = default;
#endif
  OneThreadForBlas(const OneThreadForBlas&) = delete;
  OneThreadForBlas& operator=(const OneThreadForBlas&) = delete;

 private:
  int before_ = 0;
};

}  // namespace

void parallel_pieces(std::int64_t pieces, const std::function<void(std::int64_t, std::int64_t)>& body) {
#ifdef __SANITIZE_THREAD__
  dshn::parallel_for(pieces, 1, body);
#else
  if (pieces > 1 && threads() > 1 && !at::in_parallel_region()) return at::parallel_for(0, pieces, 1, body);
  const OneThreadForBlas guard;
  if (pieces > 0) body(0, pieces);
#endif
}

int threads() {
  return at::get_num_threads();
}

}  // namespace dshn::ops::cpu
