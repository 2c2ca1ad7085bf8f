#include <CLI/CLI.hpp>

#include "cli/commands.hpp"

namespace dshn::cli {

#define DSHN_PLUG(name) void add_##name(CLI::App& data, Context& context);
#include "cli/plugs.inc"
#undef DSHN_PLUG

void add_data(CLI::App& app, Context& context) {
  CLI::App* data = app.add_subcommand("data", "Find, describe, generate, convert, check and fetch data sets");
  data->require_subcommand(1);
#define DSHN_PLUG(name) add_##name(*data, context);
#include "cli/plugs.inc"
#undef DSHN_PLUG
}

}  // namespace dshn::cli
