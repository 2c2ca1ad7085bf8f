#pragma once

#include <string>

#include "dshn/base/error.hpp"

namespace dshn::cli {

/// What went wrong and, where the program knows a remedy for its topic, what to type.
std::string advised(const Error& error);

}  // namespace dshn::cli
