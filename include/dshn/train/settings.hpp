#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "dshn/base/options.hpp"

namespace dshn::train {

/// All that fixes a run: the content of a run folder's config.toml.
struct Settings {
  std::string data;
  std::string model = "dshn";
  /// 0: as many as the data set's protocol has (10 where they are drawn).
  int splits = 0;
  std::uint64_t seed = 0;
  std::string device = "auto";
  /// Values of model options and of training options (training_options()), by name.
  Assignments set;
  /// The file that `set` began with, for the record; empty: none.
  std::string preset;
  /// Of a run that did not write down all its options: `features=auto` does not look at roles.
  bool old_defaults = false;
  /// How the data is read, where not as usual: values of data::reading_options(), by name.
  Assignments reading;

  /// Throws UsageError when a value does not fit; returns the training options' values.
  Options training() const;
  Options model_options() const;
  /// Every option of the model and of training with its value.
  Assignments all_options() const;
};

/// Learning rate, epochs, features, ... : options that belong to no model.
const std::vector<OptionSpec>& training_options();

/// UsageError for text that is not UTF-8; all other text is read back as it was.
void write_config(const Settings& settings, const std::filesystem::path& path);
/// InvalidInput when the file is not a configuration: unknown keys, keys that come twice, numbers that do not fit.
Settings read_config(const std::filesystem::path& path);

/// InvalidInput, with the place, where what a run folder says of itself is nothing that a run can have: a model or an
/// option that is not there, a value out of range.
void check_stored(const Settings& settings, const std::filesystem::path& where);

/// The part of a configuration that a preset consists of.
std::string preset_section(const Assignments& set);

}  // namespace dshn::train
