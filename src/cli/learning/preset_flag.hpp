#pragma once

#include <optional>
#include <string>

#include "cli/context.hpp"
#include "dshn/experiments/presets.hpp"

namespace CLI {
class App;
}

namespace dshn::cli {

inline constexpr const char* kPresetAuto = "auto";
inline constexpr const char* kPresetNone = "none";

/// --preset auto|none|FILE.
void add_preset_flag(CLI::App& command, std::string& word);

/// What the word means for these settings: nothing, the preset that goes with the program for a built-in data set,
/// which is said in a line, or the file. UsageError where there is no such file.
std::optional<experiments::Preset> chosen_preset(const std::string& word, const train::Settings& settings,
                                                 const Context& context);

}  // namespace dshn::cli
