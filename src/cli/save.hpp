#pragma once

#include <string>
#include <vector>

#include "dshn/io/load.hpp"

namespace dshn::cli {

/// What io::check_target refuses, and without --force anything that exists, is a UsageError. To be called
/// before the work begins.
void check_target(const std::string& path, bool force);

/// data::save_arrays, after check_target.
std::vector<std::string> save(const io::Loaded& loaded, const std::string& path, bool force);

}  // namespace dshn::cli
