#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string_view>

#include "dshn/train/settings.hpp"

/// The paper's tables of accuracies and F1 scores.
namespace dshn::experiments {

/// The paper's means are over so many splits.
inline constexpr int kPaperSplits = 10;

/// What the paper reports, in per cent; a figure without a deviation was read from a plot.
struct PaperFigure {
  double mean = 0;
  std::optional<double> std = {};
  bool out_of_memory = false;
};

/// Of a model, by its name here, on a data set of the registry. A generated synthetic set stands beside the
/// figures of the set that its generator imitates, uspto-50k beside those of Molecular-1.
std::optional<PaperFigure> paper_figure(std::string_view data, std::string_view model);

/// Whether the paper's tables have a column for this very set.
bool has_paper_results(std::string_view data);

/// Whether they have a row for this model.
bool is_paper_model(std::string_view model);

/// What stands beside the figure of a run with these settings, its data named as it was asked for: the paper's, where
/// the run was made as the paper's were. That is a built-in data set by its name and as it is, with ten splits of its
/// own kind, its own features and metric.
std::optional<PaperFigure> figure_beside(const train::Settings& settings, std::size_t splits);

/// {"mean", "std"}, "out of memory", or null.
nlohmann::ordered_json to_json(const std::optional<PaperFigure>& figure);

}  // namespace dshn::experiments
