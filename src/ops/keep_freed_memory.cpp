#include "dshn/ops/keep_freed_memory.hpp"

#if defined(__GLIBC__) || __has_include(<malloc.h>)
#include <malloc.h>
#endif

namespace dshn::ops {

void keep_freed_memory() {
#ifdef M_MMAP_MAX
  mallopt(M_MMAP_MAX, 0);  // blocks of a map of their own are unmapped when freed
  mallopt(M_TRIM_THRESHOLD,
          -1);  // and the end of the heap is given back, past 2 GiB at the largest other number
#endif
}

}  // namespace dshn::ops
