#include "cli/learning_module.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <stdexcept>

#include "cli/commands.hpp"
#include "dshn/base/error.hpp"
#include "dshn/base/system_memory.hpp"

namespace dshn::cli {
namespace {

struct Summary {
  std::string_view name;
  const char* text;
};

/// In the order of --help; a test compares them with what the library declares.
constexpr std::array kSummaries{
    Summary{"data partition", "Cut a data set into parts, for training on several ranks"},
    Summary{"laplacian", "The Directed Sheaf Hypergraph Laplacian: cost, spectrum, energy, export"},
    Summary{"plan", "Say what a training on many ranks will need: memory, traffic, seconds per epoch"},
    Summary{"train", "Train a model on a data set and leave a run folder"},
    Summary{"evaluate", "Compute a run's figures from its stored weights"},
    Summary{"predict", "Apply a trained model: id, predicted class, probabilities as CSV"},
    Summary{"explain", "Say what a prediction rests on: hyperedges, members, roles and features"},
    Summary{"tune", "Search the options of a model for the best validation figure"},
    Summary{"reproduce", "Make a table or figure of the paper, ours beside the paper's"},
    Summary{"report", "Make one HTML page of runs, studies and tables, for a browser"},
};

#ifdef DSHN_LEARNING_MODULE
constexpr bool kBuilt = true;
/// Lies beside the library that this is a part of, in the build folder and where it is installed.
constexpr const char* kFile = DSHN_LEARNING_MODULE;
#else
constexpr bool kBuilt = false;
constexpr const char* kFile = "";
#endif

const Summary* find_summary(std::string_view name) {
  const auto* const found = std::ranges::find(kSummaries, name, &Summary::name);
  return found == kSummaries.end() ? nullptr : found;
}

}  // namespace

bool is_learning_command(std::string_view name) {
  return kBuilt && find_summary(name) != nullptr;
}

std::string summary_of(std::string_view learning_command) {
  const Summary* summary = find_summary(learning_command);
  if (summary == nullptr) throw std::logic_error(fmt::format("{}: has no summary", learning_command));
  return summary->text;
}

void announce_learning_commands(CLI::App& app) {
  if (!kBuilt) return;
  for (const Summary& summary : kSummaries) add_learning_command(app, summary.name);
}

CLI::App* add_learning_command(CLI::App& app, std::string_view name) {
  CLI::App* home = &app;
  const std::size_t space = name.find(' ');
  if (space != std::string_view::npos) {
    const std::string above(name.substr(0, space));
    const auto there = app.get_subcommands([&](CLI::App* one) { return one->get_name() == above; });
    home = there.empty() ? app.add_subcommand(above) : there.front();
  }
  return home->add_subcommand(std::string(name.substr(space + 1)), summary_of(name));
}

void load_learning_commands(CLI::App& app, Context& context) {
  if (!kBuilt) return;
  // Libraries that libtorch stands on ask for memory again and again, for ever, where they get none at their start.
  constexpr std::int64_t kToStart = std::int64_t{1} << 30;
  if (const std::int64_t left = address_space_left(); left < kToStart)
    throw Failure(
        fmt::format("the commands that learn need {} MiB of memory addresses to start and {} MiB are left; "
                    "raise ulimit -v",
                    kToStart >> 20, left >> 20));
  // Never closed: what the commands leave in `app` and `context` is code of the library.
  void* const library = dlopen(kFile, RTLD_LAZY | RTLD_LOCAL);
  void* const entry = library == nullptr ? nullptr : dlsym(library, kDeclareLearningCommands);
  if (entry == nullptr) throw Failure(fmt::format("the commands that learn cannot be loaded: {}", dlerror()));
  reinterpret_cast<DeclareCommands*>(entry)(app, context);
}

}  // namespace dshn::cli
