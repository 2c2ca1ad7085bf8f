#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/learning/run_table.hpp"
#include "dshn/io/run_files.hpp"
#include "dshn/train/predict.hpp"

namespace dshn::cli {

void add_evaluate(CLI::App& app, Context& context) {
  struct Flags {
    std::filesystem::path run;
    bool json = false;
  };
  CLI::App* command = app.add_subcommand("evaluate", "Recompute a run's figures from its stored weights");
  const auto flags = std::make_shared<Flags>();
  command->add_option("RUN", flags->run, "Run folder")->required();
  command->add_flag("--json", flags->json, "Print one JSON document");
  command->callback([&context, flags] {
    context.action = [&context, flags] {
      const train::Experiment experiment(train::read_config(flags->run / io::kConfigFile));
      const train::RunResult result = train::evaluate(experiment, flags->run);
      if (flags->json)
        context.print_json(train::to_json(result, experiment, flags->run));
      else
        context.print(run_table(result, experiment, flags->run, context.out));
    };
  });
}

}  // namespace dshn::cli
