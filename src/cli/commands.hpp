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

/// These two tell of all commands.
void add_completion(CLI::App& app, Context& context);
void add_man(CLI::App& app, Context& context);

using DeclareCommands = void(CLI::App& app, Context& context);

/// The name by which the shared library of the commands in learning/ defines a function of that type.
inline constexpr const char* kDeclareLearningCommands = "dshn_declare_learning_commands";

}  // namespace dshn::cli
