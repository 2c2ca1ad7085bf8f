#include "dshn/train/predict.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.hpp"
#include "dshn/io/run_files.hpp"

namespace dshn::cli {
namespace {

struct PredictFlags {
  std::filesystem::path run;
  std::string data;
  std::filesystem::path out;
  int split = 0;
};

void predict(const PredictFlags& flags, const Context& context) {
  train::Settings settings = train::read_config(flags.run / io::kConfigFile);
  if (!flags.data.empty()) settings.data = flags.data;
  const data::Dataset dataset = data::open(settings.data, train::open_options(settings));
  for (const std::string& line : dataset.warnings) context.warn(line);
  const at::Tensor probabilities = train::predict(flags.run, flags.split, settings, dataset);
  train::write_predictions(flags.out, dataset, probabilities);
  context.print(fmt::format("{} predictions in {}\n", probabilities.size(0), flags.out.string()));
}

}  // namespace

void add_predict(CLI::App& app, Context& context) {
  CLI::App* command =
      app.add_subcommand("predict", "Apply a trained model: id, predicted class, probabilities as CSV");
  const auto flags = std::make_shared<PredictFlags>();
  command->add_option("RUN", flags->run, "Run folder")->required();
  command->add_option("--data", flags->data,
                      "Another data set with the same features (default: the run's own)");
  command->add_option("--out", flags->out, "CSV file")->required();
  command->add_option("--split", flags->split, "Which split's weights")->capture_default_str();
  command->callback([&context, flags] { context.action = [&context, flags] { predict(*flags, context); }; });
}

}  // namespace dshn::cli
