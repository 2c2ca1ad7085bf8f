#pragma once

#include <cstdint>
#include <functional>

namespace dshn {

/// Threads that parallel_for may use: what set_thread_count asked for, else DSHN_NUM_THREADS, else all cores.
int thread_count();
void set_thread_count(int count);

/// So many incidences are worth a thread.
inline constexpr std::int64_t kGrain = 1 << 15;

/// Calls body(begin, end) on disjoint pieces that cover [0, size), each at least `grain` long, on several
/// threads. The first exception thrown by a piece is rethrown here. Results must not depend on the cut into
/// pieces.
void parallel_for(std::int64_t size, std::int64_t grain,
                  const std::function<void(std::int64_t begin, std::int64_t end)>& body);

}  // namespace dshn
