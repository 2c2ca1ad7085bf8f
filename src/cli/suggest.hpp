#pragma once

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace dshn::cli {

/// The command as it is typed, with those above it.
std::string full_name(const CLI::App& app);

/// Looks through a command line that was not understood for the first command or option that does not exist,
/// and says so in one line with the nearest one that does. Nothing when the fault lies elsewhere.
std::optional<std::string> explain_unknown(const CLI::App& app, const std::vector<std::string>& arguments);

}  // namespace dshn::cli
