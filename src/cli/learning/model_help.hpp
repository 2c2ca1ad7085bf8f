#pragma once

#include <string>

#include "cli/terminal.hpp"

namespace dshn::cli {

/// The options of a model and of training, as `dshn train --help-model` prints them.
std::string model_help(const std::string& model, const Terminal& terminal);

}  // namespace dshn::cli
