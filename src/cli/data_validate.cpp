#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/progress.hpp"
#include "cli/text.hpp"
#include "cli/text_table.hpp"
#include "dshn/base/error.hpp"
#include "dshn/data/binary_file.hpp"
#include "dshn/io/array_file.hpp"
#include "dshn/io/hif.hpp"

namespace dshn::cli {
namespace {

using Json = nlohmann::ordered_json;
using Violations = std::vector<io::HifViolation>;

struct ValidateFlags {
  std::string file;
  bool json = false;
};

Json document(const std::string& file, const Violations& violations) {
  Json list = Json::array();
  for (const io::HifViolation& violation : violations) {
    list.push_back(
        {{"offset", violation.offset}, {"pointer", violation.pointer}, {"message", violation.message}});
  }
  return {{"file", file},
          {"valid", violations.empty()},
          {"n_violations", violations.size()},
          {"violations", list}};
}

std::string page(const std::string& file, const Violations& violations, const Terminal& terminal) {
  if (violations.empty())
    return fmt::format("{}: {}\n", printable(file), terminal.paint(Paint::good, "valid HIF"));
  TextTable table({{"byte", Align::right}, {"pointer", Align::left}, {"violation", Align::left}});
  for (const io::HifViolation& violation : violations) {
    // The pointer to the whole document is the empty string.
    const std::string pointer = violation.pointer.empty() ? "(document)" : printable(violation.pointer);
    table.add({{std::to_string(violation.offset)}, {pointer}, {printable(violation.message)}});
  }
  return table.render(terminal);
}

/// Stops at the first thing that is wrong with it.
void validate_binary(const ValidateFlags& flags, const Context& context) {
  Activity activity(context.err, "checking " + flags.file);
  data::BinaryFile(flags.file).verify();
  activity.stop();
  if (flags.json) {
    context.print_json(document(flags.file, {}));
  } else {
    context.print(fmt::format("{}: {}\n", printable(flags.file),
                              context.out.paint(Paint::good, "valid binary data set")));
  }
}

void validate(const ValidateFlags& flags, const Context& context) {
  if (io::is_array_file(flags.file)) return validate_binary(flags, context);
  ProgressBar bar(context.err, "checking " + flags.file);
  const Violations violations = io::validate_hif(
      flags.file, [&bar](std::int64_t done, std::int64_t total) { bar.update(done, total); });
  bar.finish();
  if (flags.json) {
    context.print_json(document(flags.file, violations));
  } else {
    context.print(page(flags.file, violations, context.out));
  }
  if (violations.empty()) return;
  throw InvalidInput(fmt::format("{}: not valid HIF: {} violation{} of the schema", flags.file,
                                 violations.size(), violations.size() == 1 ? "" : "s"));
}

}  // namespace

void add_data_validate(CLI::App& data, Context& context) {
  CLI::App* command = data.add_subcommand(
      "validate",
      "Check a file: HIF against the schema of that format, a binary data set against its digests");
  const auto flags = std::make_shared<ValidateFlags>();
  command->add_option("FILE", flags->file, "HIF JSON, plain, .gz or .zst, or a binary data set (.dshn)")
      ->required();
  command->add_flag("--json", flags->json, "Print one JSON document");
  command->callback([&context, flags] { context.action = [&context, flags] { validate(*flags, context); }; });
}

}  // namespace dshn::cli
