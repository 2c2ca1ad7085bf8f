#include "dshn/train/predict.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "cli/commands.hpp"
#include "cli/learning/run_data.hpp"
#include "cli/learning_module.hpp"
#include "cli/loader_flags.hpp"
#include "dshn/io/data_files.hpp"
#include "dshn/io/run_files.hpp"
#include "dshn/train/run_inputs.hpp"

namespace dshn::cli {
namespace {

struct PredictFlags {
  std::filesystem::path run;
  std::string data;
  std::filesystem::path out;
  std::filesystem::path embeddings;
  LoaderFlags loader;
  int split = 0;
};

bool labelled(const data::Dataset& dataset) {
  for (Index item = 0; item < dataset.item_count(); ++item)
    if (dataset.is_known(item)) return true;
  return false;
}

/// "of 12 labelled nodes: accuracy 83.33 %, macro F1 80.12 %".
std::string figures_line(const data::Dataset& dataset, const train::Figures& figures) {
  std::vector<std::string> parts;
  for (const train::Metric& metric : train::metrics_of(dataset.code.target)) {
    parts.push_back(fmt::format("{} {}{}", metric.title, figure_text(metric, figures.metric(metric.name)),
                                metric.is_share ? " %" : ""));
  }
  return fmt::format("of {} labelled {}s: {}", figures.items(), data::item_word(dataset.task),
                     fmt::join(parts, ", "));
}

/// Whether a run folder or a data set folder has a file of this name.
bool is_of_folder(const std::string& name) {
  const auto one_of = [](const std::string& word, std::initializer_list<const char*> words) {
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  return one_of(name, {io::kConfigFile, io::kAutoFile, io::kInputsFile, io::kMetricsFile, io::kResultFile,
                       io::kPredictionsFile}) ||
         one_of(name.substr(0, name.find('.')), {io::kHypergraphTable, io::kNodeTable, io::kEdgeTable});
}

/// What is read, now or by the run later, is not written over: a name typed twice would cost somebody their data.
void keep_what_is_read(const std::filesystem::path& written, const std::string& flag,
                       const std::filesystem::path& run, const train::Settings& settings) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (!fs::exists(written, ignored)) return;
  std::vector<fs::path> read = train::files_of(settings);
  const std::vector<fs::path> own = train::files_of(train::read_run(run));
  read.insert(read.end(), own.begin(), own.end());
  read.push_back(run);
  const fs::path folder = fs::absolute(written).parent_path();
  const bool of_folder = is_of_folder(written.filename().string());
  for (const fs::path& path : read) {
    if (fs::equivalent(path, written, ignored) || (of_folder && fs::equivalent(path, folder, ignored)))
      throw UsageError(
          fmt::format("{}: {} would replace what is read; expected another file", written.string(), flag));
  }
}

void predict(const PredictFlags& flags, const Context& context) {
  const auto [settings, dataset] = open_run_data(flags.run, flags.data, flags.loader.given(), context);
  keep_what_is_read(flags.out, "--out", flags.run, settings);
  keep_what_is_read(flags.embeddings, "--embeddings", flags.run, settings);
  const train::LoadedModel model = train::load_model(flags.run, flags.split, settings, *dataset);
  const at::Tensor predictions = train::predict(model);
  if (!flags.embeddings.empty()) {
    const at::Tensor rows = train::embeddings(model);
    train::write_embeddings(flags.embeddings, *dataset, rows);
    context.note(
        fmt::format("{} rows of {} numbers in {}", rows.size(0), rows.size(1), flags.embeddings.string()));
  }
  if (flags.out.empty()) {
    std::string text;
    train::write_predictions([&](std::string_view line) { text += line; }, *dataset, *model.objective,
                             predictions);
    context.print(text);
  } else {
    train::write_predictions(flags.out, *dataset, *model.objective, predictions);
    context.print(fmt::format("{} predictions in {}\n", predictions.size(0), flags.out.string()));
  }
  if (!flags.data.empty() && labelled(*dataset))
    context.note(figures_line(*dataset, *train::figures_on(*dataset, *model.objective, predictions)));
}

}  // namespace

void add_predict(CLI::App& app, Context& context) {
  CLI::App* command = app.add_subcommand("predict", summary_of("predict"));
  const auto flags = std::make_shared<PredictFlags>();
  command->add_option("RUN", flags->run, "Run folder")->required();
  command->add_option("--data", flags->data,
                      "Another data set with the same features (default: the run's own)");
  command->add_option("--out", flags->out, "CSV file (default: standard output)");
  command->add_option("--embeddings", flags->embeddings,
                      "Write what the model makes of each item to this .npz or .csv file");
  command->add_option("--split", flags->split, "Which split's weights")->capture_default_str();
  flags->loader.add_to(*command);
  command->callback([&context, flags] { context.action = [&context, flags] { predict(*flags, context); }; });
}

}  // namespace dshn::cli
