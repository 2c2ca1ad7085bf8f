#pragma once

#include "cli/context.hpp"

namespace CLI {
class App;
}

/// Every command is a file that defines add_NAME(): it declares the command's flags and says in `action` what
/// the command does.
namespace dshn::cli {

/// `data` with the commands under it.
void add_data(CLI::App& app, Context& context);

/// Those that need libtorch; their files are in learning/.
void declare_learning_commands(CLI::App& app, Context& context);

}  // namespace dshn::cli
