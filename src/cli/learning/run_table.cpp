#include "cli/learning/run_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/text_table.hpp"
#include "dshn/experiments/paper_results.hpp"

namespace dshn::cli {
namespace {

/// Other figures of the test items, beside the one that validation goes by.
std::vector<train::Metric> beside(const train::Experiment& experiment) {
  std::vector<train::Metric> others;
  for (const train::Metric& metric : train::metrics_of(experiment.dataset->code.target)) {
    // The accuracy and its other name stand in the first columns.
    const bool shown =
        metric.name != experiment.metric && metric.name != "accuracy" &&
        (metric.name != "micro-f1" || experiment.dataset->code.target != data::TargetKind::classes);
    if (shown) others.push_back(metric);
  }
  return others;
}

std::string mean_text(const train::Metric& metric, const train::MeanStd& figure, const Terminal& terminal) {
  return fmt::format("{} ± {}", terminal.paint(Paint::good, figure_text(metric, figure.mean)),
                     figure_text(metric, figure.std));
}

/// "   (paper: 97.84 ± 1.86)", empty where no figure of the paper is to be compared with the run's.
std::string paper_beside(const train::RunResult& result, const train::Experiment& experiment) {
  const auto figure = experiments::figure_beside(experiment.settings, result.splits.size());
  if (!figure) return "";
  return figure->out_of_memory ? "   (paper: out of memory)"
                               : fmt::format("   (paper: {:.2f} ± {:.2f})", figure->mean, *figure->std);
}

}  // namespace

std::string run_table(const train::RunResult& result, const train::Experiment& experiment,
                      const std::filesystem::path& folder, const Terminal& terminal) {
  const train::Metric& metric = train::find_metric(experiment.metric);
  const std::vector<train::Metric> others = beside(experiment);
  std::vector<TextTable::Column> columns{{"split"},
                                         {"best epoch", Align::right},
                                         {"train", Align::right},
                                         {"val", Align::right},
                                         {"test", Align::right}};
  for (const train::Metric& other : others) columns.push_back({other.title, Align::right});
  TextTable table(columns);
  for (const train::SplitResult& split : result.splits) {
    std::vector<TextCell> row{{std::to_string(split.split)},
                              {std::to_string(split.best_epoch)},
                              {figure_text(metric, split.train)},
                              {figure_text(metric, split.val)},
                              {figure_text(metric, split.test), Paint::strong}};
    for (const train::Metric& other : others)
      row.push_back({figure_text(other, split.test_figures->metric(other.name))});
    table.add(row);
  }
  std::string text = fmt::format("{} on {}, {}\n\n{}\n", models::find_model(experiment.settings.model).title,
                                 experiment.dataset->name, experiment.metric, table.render(terminal));
  text += fmt::format("test   {}{}\n", mean_text(metric, result.test, terminal),
                      paper_beside(result, experiment));
  text += fmt::format("val    {} ± {}\n", figure_text(metric, result.val.mean),
                      figure_text(metric, result.val.std));
  if (result.parameters > 0) {
    text += fmt::format("{} parameters, {:.1f} ms per epoch, peak {:.0f} MiB\n", result.parameters,
                        result.epoch_ms, result.peak_mb);
  }
  return text + fmt::format("{}\nrun folder: {}\n", experiment.protocol, folder.string());
}

std::string table_of_other_data(const train::RunResult& result, const data::Dataset& dataset,
                                const train::Settings& settings, const Terminal& terminal) {
  const train::Metric& metric = train::find_metric(train::metric_name(settings.training(), dataset));
  std::vector<train::Metric> shown = train::metrics_of(dataset.code.target);
  if (dataset.code.target == data::TargetKind::classes)
    std::erase_if(shown, [](const train::Metric& one) { return one.name == "micro-f1"; });
  std::vector<TextTable::Column> columns{{"split"}};
  for (const train::Metric& one : shown) columns.push_back({one.title, Align::right});
  TextTable table(columns);
  for (const train::SplitResult& split : result.splits) {
    std::vector<TextCell> row{{std::to_string(split.split)}};
    for (const train::Metric& one : shown)
      row.push_back({figure_text(one, split.test_figures->metric(one.name))});
    table.add(row);
  }
  return fmt::format("{} on all {} labelled {}s of {}\n\n{}\n{}   {}\n",
                     models::find_model(settings.model).title, result.splits.front().test_figures->items(),
                     data::item_word(dataset.task), dataset.name, table.render(terminal), metric.name,
                     mean_text(metric, result.test, terminal));
}

}  // namespace dshn::cli
