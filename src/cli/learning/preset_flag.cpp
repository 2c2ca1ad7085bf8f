#include "cli/learning/preset_flag.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "dshn/base/error.hpp"

namespace dshn::cli {

void add_preset_flag(CLI::App& command, std::string& word) {
  command
      .add_option("--preset", word,
                  "Options used before --set: those found for a built-in data set (auto), none, or a file's")
      ->capture_default_str();
}

std::optional<experiments::Preset> chosen_preset(const std::string& word, const train::Settings& settings,
                                                 const Context& context) {
  if (word == kPresetNone) return std::nullopt;
  if (word != kPresetAuto) {
    if (!std::filesystem::is_regular_file(word))
      throw UsageError(
          fmt::format("--preset {}: there is no such file; expected auto, none or a file", word));
    return experiments::Preset{word, train::read_config(word).set};
  }
  const auto preset = experiments::find_preset(experiments::preset_folder(), settings);
  if (preset)
    context.note(fmt::format("options of {}; --preset none trains with the defaults", preset->file.string()));
  return preset;
}

}  // namespace dshn::cli
