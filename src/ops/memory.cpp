#include "dshn/ops/memory.hpp"

#if defined(__GLIBC__) || __has_include(<malloc.h>)
#include <malloc.h>
#endif

#include <limits>

namespace dshn::ops {

void keep_freed_memory() {
#ifdef M_MMAP_MAX
  mallopt(M_MMAP_MAX, 0);  // blocks of a map of their own are unmapped when freed
  mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());  // and the end of the heap is given back
#endif
}

}  // namespace dshn::ops
