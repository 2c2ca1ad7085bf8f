#include <CLI/CLI.hpp>

#include "cli/commands.hpp"
#include "dshn/data/registry.hpp"

namespace dshn::cli {

#define DSHN_PLUG(name) void add_##name(CLI::App& data, Context& context);
#include "cli/plugs.inc"
#undef DSHN_PLUG

void add_data(CLI::App& app, Context& context) {
  CLI::App* command =
      app.add_subcommand("data", "Find, describe, generate, convert, check and fetch data sets");
  command->require_subcommand(1);
  std::vector<std::string> names;
  for (const data::Entry& entry : data::registry()) names.emplace_back(entry.name);
  for (const char* what : {"WHAT", "IN", "--data"}) context.vocabulary[what] = {names, /*or_files=*/true};
  context.vocabulary["NAME"] = {names};
#define DSHN_PLUG(name) add_##name(*command, context);
#include "cli/plugs.inc"
#undef DSHN_PLUG
}

}  // namespace dshn::cli
