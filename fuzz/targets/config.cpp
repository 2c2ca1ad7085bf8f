// config.toml of a run folder, and presets.
#include "dshn/base/error.hpp"
#include "dshn/base/utf8.hpp"
#include "dshn/train/settings.hpp"
#include "fuzz/target.hpp"

namespace dshn::fuzz::config {
namespace {

std::vector<std::string> valid() {
  train::Settings settings;
  settings.data = "a #'\"\\\n\xc3\xa9";
  settings.splits = 3;
  settings.seed = ~std::uint64_t{0};
  settings.preset = "p.toml";
  settings.set = {{"lr", "0.01"}, {"maps", "low-rank"}};
  settings.reading = {{"label_column", "a,b"}};
  train::write_config(settings, scratch() / "seed.toml");
  return {content_of(scratch() / "seed.toml"), train::preset_section({{"lr", "0.1"}}),
          "data = \"x\" # why\n"};
}

std::vector<std::string> malformed() {
  return {"splits = -1\n", "seed = 18446744073709551616\n", "unknown = 1\n", "data = \"a\"\ndata = \"b\"\n",
          "data = [\"a\", \"b\"]\n"};
}

bool is_text(const train::Settings& settings) {
  std::string all = settings.data + settings.model + settings.device + settings.preset;
  for (const auto* section : {&settings.set, &settings.reading})
    for (const auto& [name, value] : *section) all += name + value;
  return find_invalid_utf8(all) == std::string::npos;
}

/// Names are written as they are: ours are words.
bool has_plain_names(const train::Settings& settings) {
  for (const auto* section : {&settings.set, &settings.reading})
    for (const auto& [name, value] : *section)
      if (name.empty() || name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") != std::string::npos)
        return false;
  return true;
}

void read(std::string_view bytes) {
  const train::Settings settings = train::read_config(file_with(bytes, "config.toml"));
  if (!is_text(settings) || !has_plain_names(settings)) return;
  train::write_config(settings, scratch() / "copy.toml");
  const train::Settings again = train::read_config(scratch() / "copy.toml");
  require(again.data == settings.data && again.model == settings.model && again.device == settings.device &&
              again.preset == settings.preset,
          "words that are written are read again");
  require(again.splits == settings.splits && again.seed == settings.seed,
          "numbers that are written are read again");
  require(again.set == settings.set && again.reading == settings.reading,
          "options that are written are read again");
}

}  // namespace

Target target() {
  return {"config", valid, malformed, read};
}

}  // namespace dshn::fuzz::config
