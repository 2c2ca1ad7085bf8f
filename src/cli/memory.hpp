#pragma once

#include <cstdint>
#include <string>

namespace dshn::cli {

/// Bytes that a new program could use without swapping; 0 where the system does not say.
std::int64_t available_memory();

/// Throws Failure "WHAT needs ... of memory, ... are available; HINT" when that is more than there is.
void require_memory(std::int64_t bytes, const std::string& what, const std::string& hint);

}  // namespace dshn::cli
