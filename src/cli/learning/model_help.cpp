#include "cli/learning/model_help.hpp"

#include <fmt/format.h>

#include "cli/text_table.hpp"
#include "dshn/models/registry.hpp"
#include "dshn/train/settings.hpp"

namespace dshn::cli {
namespace {

std::string option_table(const std::vector<OptionSpec>& options, const Terminal& terminal) {
  TextTable table({{"option"}, {"default"}, {"values"}, {"meaning"}});
  for (const OptionSpec& option : options) {
    table.add({{option.name, Paint::strong}, {option.default_value}, {option.expected()}, {option.help}});
  }
  return table.render(terminal);
}

}  // namespace

std::string model_help(const std::string& model, const Terminal& terminal) {
  const models::ModelEntry& entry = models::find_model(model);
  return fmt::format("{}: {}\n\n{}\nTraining options\n\n{}", entry.title, entry.summary,
                     option_table(entry.options, terminal),
                     option_table(train::training_options(), terminal));
}

}  // namespace dshn::cli
