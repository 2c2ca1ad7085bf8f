#pragma once

// The only place that needs the headers of a libtorch with CUDA.
#include <c10/cuda/CUDAStream.h>

namespace dshn::ops::cuda {

/// Where libtorch queues its own work on the current device.
inline cudaStream_t current_stream() {
  return c10::cuda::getCurrentCUDAStream().stream();
}

}  // namespace dshn::ops::cuda
