#pragma once

#include <cstdint>
#include <functional>

namespace dshn::io {

/// Called now and then with the bytes of the file that are done and the bytes in all (0 where that is not
/// known).
using Progress = std::function<void(std::int64_t bytes_done, std::int64_t bytes_total)>;

}  // namespace dshn::io
