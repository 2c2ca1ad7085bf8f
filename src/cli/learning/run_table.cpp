#include "cli/learning/run_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/text_table.hpp"
#include "dshn/experiments/paper_results.hpp"

namespace dshn::cli {
namespace {

std::string percent(double value) {
  return fmt::format("{:.2f}", 100 * value);
}

/// "97.84 ± 1.86", empty where the paper has no figure for this model and data set.
std::string paper_figure(const train::Experiment& experiment) {
  const auto figure = experiments::paper_figure(experiment.dataset->name, experiment.settings.model);
  if (!figure) return "";
  return figure->out_of_memory ? "out of memory" : fmt::format("{:.2f} ± {:.2f}", figure->mean, *figure->std);
}

}  // namespace

std::string run_table(const train::RunResult& result, const train::Experiment& experiment,
                      const std::filesystem::path& folder, const Terminal& terminal) {
  TextTable table({{"split"},
                   {"best epoch", Align::right},
                   {"train", Align::right},
                   {"val", Align::right},
                   {"test", Align::right},
                   {"macro F1", Align::right},
                   {"weighted F1", Align::right}});
  for (const train::SplitResult& split : result.splits) {
    table.add({{std::to_string(split.split)},
               {std::to_string(split.best_epoch)},
               {percent(split.train)},
               {percent(split.val)},
               {percent(split.test), Paint::strong},
               {percent(split.test_confusion.macro_f1())},
               {percent(split.test_confusion.weighted_f1())}});
  }
  const std::string paper = paper_figure(experiment);
  std::string text = fmt::format("{} on {}, {}\n\n{}\n", models::find_model(experiment.settings.model).title,
                                 experiment.dataset->name, experiment.metric, table.render(terminal));
  text += fmt::format("test   {} ± {}{}\n", terminal.paint(Paint::good, percent(result.test.mean)),
                      percent(result.test.std), paper.empty() ? "" : "   (paper: " + paper + ")");
  text += fmt::format("val    {} ± {}\n", percent(result.val.mean), percent(result.val.std));
  if (result.parameters > 0) {
    text += fmt::format("{} parameters, {:.1f} ms per epoch, peak {:.0f} MiB\n", result.parameters,
                        result.epoch_ms, result.peak_mb);
  }
  return text + fmt::format("{}\nrun folder: {}\n", experiment.protocol, folder.string());
}

std::string table_of_other_data(const train::RunResult& result, const data::Dataset& dataset,
                                const train::Settings& settings, const Terminal& terminal) {
  TextTable table(
      {{"split"}, {"accuracy", Align::right}, {"macro F1", Align::right}, {"weighted F1", Align::right}});
  for (const train::SplitResult& split : result.splits) {
    table.add({{std::to_string(split.split)},
               {percent(split.test_confusion.accuracy())},
               {percent(split.test_confusion.macro_f1())},
               {percent(split.test_confusion.weighted_f1())}});
  }
  return fmt::format("{} on all {} labelled {}s of {}\n\n{}\n{}   {} ± {}\n",
                     models::find_model(settings.model).title, result.splits.front().test_confusion.total(),
                     data::item_word(dataset.task), dataset.name, table.render(terminal),
                     train::metric_name(settings.training(), dataset.task),
                     terminal.paint(Paint::good, percent(result.test.mean)), percent(result.test.std));
}

}  // namespace dshn::cli
