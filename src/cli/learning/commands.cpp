#include "cli/commands.hpp"

#include "cli/learning/preset_flag.hpp"
#include "cli/learning/threads.hpp"
#include "dshn/experiments/reproduction.hpp"
#include "dshn/models/registry.hpp"
#include "dshn/tune/sampler.hpp"

namespace dshn::cli {

#define DSHN_PLUG(name) void add_##name(CLI::App& app, Context& context);
#include "cli_learning/plugs.inc"
#undef DSHN_PLUG

namespace {

void add_words(std::map<std::string, Vocabulary>& vocabulary) {
  for (const models::ModelEntry& entry : models::all_models())
    for (const char* flag : {"--model", "--models"}) vocabulary[flag].words.push_back(entry.name);
  for (const experiments::Reproduction& entry : experiments::all_reproductions())
    vocabulary["name"].words.push_back(entry.name);
  vocabulary["name"].words.emplace_back("all");
  vocabulary["--sampler"].words = tune::sampler_names();
  vocabulary["--device"].words = {"auto", "cpu", "cuda"};
  vocabulary["--preset"] = {{kPresetAuto, kPresetNone}, /*or_files=*/true};
}

}  // namespace

/// What src/cli/learning_module.cpp looks for, by kDeclareLearningCommands.
extern "C" void dshn_declare_learning_commands(CLI::App& app, Context& context) {
  set_threads(0);
  add_words(context.vocabulary);
#define DSHN_PLUG(name) add_##name(app, context);
#include "cli_learning/plugs.inc"
#undef DSHN_PLUG
}

}  // namespace dshn::cli
