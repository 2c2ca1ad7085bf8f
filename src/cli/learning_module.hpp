#pragma once

#include <string>
#include <string_view>

#include "cli/context.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): not ours
class App;
}

/// The commands that learn are in a shared library of their own, which brings libtorch with it: it is loaded
/// when one of them is named, and the other commands start in a moment.
namespace dshn::cli {

/// Whether the library has a command of that name. No name is one where this program was built without it.
bool is_learning_command(std::string_view name);

/// What --help says of it in one line.
std::string summary_of(std::string_view learning_command);

/// Declares the one of that name in its place: "data partition" below `data`.
CLI::App* add_learning_command(CLI::App& app, std::string_view name);

/// Its commands by name and summary alone, for --help and for the nearest to a misspelt one.
void announce_learning_commands(CLI::App& app);

/// Its commands with their flags. Failure where the library is not to be found.
void load_learning_commands(CLI::App& app, Context& context);

}  // namespace dshn::cli
