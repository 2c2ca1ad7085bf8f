#include "cli/learning/threads.hpp"

#include <torch/torch.h>

#include <cstdlib>

#include "dshn/base/parallel.hpp"

namespace dshn::cli {

void set_threads(int threads) {
  if (threads > 0) set_thread_count(threads);
  // libtorch counts the cores in a way of its own, and on some machines finds half of them.
  if (threads > 0 || std::getenv("OMP_NUM_THREADS") == nullptr) torch::set_num_threads(thread_count());
}

}  // namespace dshn::cli
