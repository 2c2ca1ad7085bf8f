#pragma once

namespace dshn::cli {

/// Of this process, for our own loops and libtorch's. Zero: what DSHN_NUM_THREADS and OMP_NUM_THREADS say, else one for
/// each core.
void set_threads(int threads);

}  // namespace dshn::cli
