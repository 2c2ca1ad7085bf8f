#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string_view>

/// The paper's tables of accuracies and F1 scores.
namespace dshn::experiments {

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

/// {"mean", "std"}, "out of memory", or null.
nlohmann::ordered_json to_json(const std::optional<PaperFigure>& figure);

}  // namespace dshn::experiments
