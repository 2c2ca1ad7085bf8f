#pragma once

#include "cli/context.hpp"

namespace CLI {
class App;
}

namespace dshn::cli {

/// One function per command, each in a file of its own: it declares the command's flags and says in `action`
/// what the command does. A new command is a file, a line here and a line where its group adds it.
void add_data(CLI::App& app, Context& context);
void add_data_list(CLI::App& data, Context& context);
void add_data_info(CLI::App& data, Context& context);
void add_data_generate(CLI::App& data, Context& context);
void add_data_convert(CLI::App& data, Context& context);
void add_data_validate(CLI::App& data, Context& context);
void add_data_fetch(CLI::App& data, Context& context);
void add_laplacian(CLI::App& app, Context& context);
void add_train(CLI::App& app, Context& context);
void add_evaluate(CLI::App& app, Context& context);
void add_predict(CLI::App& app, Context& context);
void add_tune(CLI::App& app, Context& context);
void add_reproduce(CLI::App& app, Context& context);
void add_report(CLI::App& app, Context& context);

}  // namespace dshn::cli
