#pragma once

#include <cstdint>
#include <string_view>

namespace dshn::data {

/// The byte at which a server's reply goes on, where the line is the header that says so ("Content-Range: bytes
/// 5-9/10"); else -1.
std::int64_t range_start(std::string_view line);

}  // namespace dshn::data
