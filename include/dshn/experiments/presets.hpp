#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "dshn/train/settings.hpp"

/// Presets: options that were found for a model on a data set, in a folder with files DATA/MODEL.toml.
namespace dshn::experiments {

struct Preset {
  std::filesystem::path file;
  Assignments set;
};

/// Nothing where the folder has no such file. InvalidInput where the file is no preset.
std::optional<Preset> find_preset(const std::filesystem::path& folder, const std::string& data,
                                  const std::string& model);

/// That of the settings' model for their data, where that is a built-in set, asked for by its name.
std::optional<Preset> find_preset(const std::filesystem::path& folder, const train::Settings& settings);

/// The presets that go with the program.
std::filesystem::path preset_folder();

/// Gives the settings the preset's options, above their own, and the name of its file.
void apply(const Preset& preset, train::Settings& settings);

}  // namespace dshn::experiments
