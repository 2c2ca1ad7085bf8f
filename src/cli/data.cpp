#include <CLI/CLI.hpp>

#include "cli/commands.hpp"

namespace dshn::cli {

void add_data(CLI::App& app, Context& context) {
  CLI::App* data = app.add_subcommand("data", "Find, describe, generate, convert, check and fetch data sets");
  data->require_subcommand(1);
  add_data_list(*data, context);
  add_data_info(*data, context);
  add_data_generate(*data, context);
  add_data_convert(*data, context);
  add_data_validate(*data, context);
  add_data_fetch(*data, context);
}

}  // namespace dshn::cli
