#include "cli/commands.hpp"

namespace dshn::cli {

#define DSHN_PLUG(name) void add_##name(CLI::App& app, Context& context);
#include "cli_learning/plugs.inc"
#undef DSHN_PLUG

void declare_learning_commands(CLI::App& app, Context& context) {
#define DSHN_PLUG(name) add_##name(app, context);
#include "cli_learning/plugs.inc"
#undef DSHN_PLUG
}

}  // namespace dshn::cli
