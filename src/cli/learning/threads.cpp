#include "cli/learning/threads.hpp"

#include <torch/torch.h>

#include "dshn/base/parallel.hpp"

namespace dshn::cli {

void set_threads(int threads) {
  if (threads <= 0) return;
  set_thread_count(threads);
  torch::set_num_threads(threads);
}

}  // namespace dshn::cli
