#include "cli/program.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <exception>
#include <limits>
#include <new>
#include <string>
#include <vector>

#include "cli/advice.hpp"
#include "cli/commands.hpp"
#include "cli/context.hpp"
#include "cli/interrupt.hpp"
#include "cli/kept_errors.hpp"
#include "cli/learning_module.hpp"
#include "cli/suggest.hpp"
#include "dshn/base/error.hpp"
#include "dshn/base/system_memory.hpp"

namespace dshn::cli {
namespace {

constexpr const char* kAbout =
    "dshn: learning on directed, undirected and mixed hypergraphs with sheaf Laplacians.\n\n"
    "WHAT, in every command, is the name of a built-in data set ('dshn data list'), a data set folder, or a "
    "file.";
constexpr const char* kFooter =
    "Exit status: 0 done, 1 failed, 2 wrong usage, 3 bad input data, 130 stopped by Ctrl-C (SIGINT), 143 by "
    "SIGTERM.\n"
    "Environment: DSHN_DATA_DIR (where data sets live), DSHN_SHARE_DIR (where the report page's parts live), "
    "DSHN_NUM_THREADS, DSHN_GPU_PROCESSES, NO_COLOR.";

/// The first words of the line that are no flags; the program itself and `data` have no flag with a value.
std::vector<std::string> named_commands(int argc, const char* const* argv) {
  std::vector<std::string> words{"", ""};
  std::size_t next = 0;
  for (int i = 1; i < argc && next < words.size(); ++i)
    if (*argv[i] != '-') words[next++] = argv[i];
  return words;
}

void describe(CLI::App& app, Context& context, const std::vector<std::string>& words) {
  app.set_version_flag("--version", "dshn " DSHN_VERSION, "Print the version and exit");
  app.footer(kFooter);
  app.get_formatter()->column_width(34);
  app.require_subcommand(1);
  add_data(app, context);
  const bool tells_of_all = words[0] == "completion" || words[0] == "man";
  if (tells_of_all || is_learning_command(words[0]) || is_learning_command(words[0] + " " + words[1]))
    load_learning_commands(app, context);
  else
    announce_learning_commands(app);
  add_completion(app, context);
  add_man(app, context);
}

const CLI::App& innermost(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? app : innermost(*chosen.front());
}

std::string list_of_commands(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string explain(const CLI::App& app, const CLI::ParseError& problem,
                    const std::vector<std::string>& arguments) {
  const bool unexpected = dynamic_cast<const CLI::ExtrasError*>(&problem) != nullptr;
  const bool missing = dynamic_cast<const CLI::RequiredError*>(&problem) != nullptr;
  if (unexpected || missing) {
    if (auto line = explain_unknown(app, arguments)) return *line;
  }
  const CLI::App& command = innermost(app);
  if (missing && command.get_require_subcommand_min() > 0) {
    return fmt::format("{} needs a command, one of: {}; see '{} --help'", full_name(command),
                       list_of_commands(command), full_name(command));
  }
  return fmt::format("{}; see '{} --help'", problem.what(), full_name(command));
}

/// The exit status when the line was help, a version or wrong; nothing when there is an action to run.
std::optional<int> parse(CLI::App& app, const Context& context, int argc, const char* const* argv) {
  try {
    app.parse(argc, argv);
    return std::nullopt;
  } catch (const CLI::CallForVersion& version) {
    context.print(fmt::format("{}\n", version.what()));
  } catch (const CLI::Success&) {
    context.print(app.help());
  } catch (const CLI::ParseError& problem) {
    context.error(explain(app, problem, {argv + 1, argv + argc}));
    return kWrongUsage;
  }
  return kDone;
}

int parse_and_act(const Context& context, CLI::App& app, int argc, const char* const* argv) {
  if (const auto status = parse(app, context, argc, argv)) return *status;
  context.action();
  return kDone;
}

Exit exit_status(const Error& problem) {
  if (dynamic_cast<const UsageError*>(&problem) != nullptr) return kWrongUsage;
  return dynamic_cast<const InvalidInput*>(&problem) != nullptr ? kBadInput : kFailed;
}

/// Whether memory ran out by a limit that the user has set, not by the machine's.
bool limits_addresses() {
  return address_space_left() != std::numeric_limits<std::int64_t>::max();
}

}  // namespace

int run(int argc, const char* const* argv) {
  Context context{Terminal::of(STDOUT_FILENO), Terminal::of(STDERR_FILENO), {}};
  context.errors_to = kept_errors().value_or(STDERR_FILENO);
  try {
    take_over_signals();
    CLI::App app(kAbout, "dshn");
    describe(app, context, named_commands(argc, argv));
    return parse_and_act(context, app, argc, argv);
  } catch (const Error& problem) {
    context.error(advised(problem));
    // Work that was asked to stop ends in an error that says how to go on.
    return stopped_by() != 0 ? 128 + stopped_by() : exit_status(problem);
  } catch (const std::bad_alloc&) {
    context.error(fmt::format("there is not enough memory for this; use a smaller input or {}",
                              limits_addresses() ? "raise ulimit -v" : "a machine with more"));
  } catch (const std::exception& problem) {
    context.error(first_line(problem));
  }
  return kFailed;
}

}  // namespace dshn::cli
