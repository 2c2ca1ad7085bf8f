#pragma once

namespace dshn::cli {

/// Of this process, for our own loops and libtorch's. Zero leaves the default.
void set_threads(int threads);

}  // namespace dshn::cli
