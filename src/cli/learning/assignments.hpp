#pragma once

#include <string>
#include <vector>

#include "dshn/base/options.hpp"

namespace dshn::cli {

/// The words of a repeated flag, each name=value. UsageError, naming the flag, where one is not.
Assignments parse_assignments(const std::string& flag, const std::vector<std::string>& words);

}  // namespace dshn::cli
