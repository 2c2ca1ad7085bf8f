#pragma once

#include <string>

#include "cli/command_tree.hpp"

namespace dshn::cli {

/// The manual page of one of the program's commands, for troff with the man macros. `footer` is what --help
/// ends with: paragraphs of one line, each begun by a title and a colon.
std::string man_page(const Command& command, const Command& root, const std::string& footer);

}  // namespace dshn::cli
