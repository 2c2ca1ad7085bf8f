#pragma once

#include <string>

#include "cli/command_tree.hpp"

/// Scripts that complete command lines in a shell: commands, flags, the words that may stand for a value, and
/// files. They hold all that they know and do not start the program.
namespace dshn::cli {

std::string bash_script(const Command& root);
std::string fish_script(const Command& root);
std::string zsh_script(const Command& root);

}  // namespace dshn::cli
