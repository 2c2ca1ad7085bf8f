#pragma once

#include <cstdint>
#include <functional>

namespace dshn::ops::cpu {

/// Calls body(begin, end) on parts of [0, pieces), on the threads of libtorch's own pool. Products of the BLAS
/// inside of it run on one thread each. Under the thread sanitizer, which cannot see through OpenMP's barriers,
/// plain threads do the same cut, so that it checks our code and nothing else.
void parallel_pieces(std::int64_t pieces,
                     const std::function<void(std::int64_t begin, std::int64_t end)>& body);

}  // namespace dshn::ops::cpu
