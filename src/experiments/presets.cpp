#include "dshn/experiments/presets.hpp"

#include "dshn/base/share_folder.hpp"
#include "dshn/data/registry.hpp"

namespace dshn::experiments {

namespace fs = std::filesystem;

std::optional<Preset> find_preset(const fs::path& folder, const std::string& data, const std::string& model) {
  const fs::path file = folder / data / (model + ".toml");
  if (folder.empty() || !fs::exists(file)) return std::nullopt;
  return Preset{file, train::read_config(file).set};
}

std::optional<Preset> find_preset(const fs::path& folder, const train::Settings& settings) {
  if (data::find_entry(settings.data) == nullptr) return std::nullopt;
  return find_preset(folder, settings.data, settings.model);
}

fs::path preset_folder() {
  return share_folder() / "presets";
}

void apply(const Preset& preset, train::Settings& settings) {
  for (const auto& [name, value] : preset.set) settings.set[name] = value;
  settings.preset = preset.file.string();
}

}  // namespace dshn::experiments
