#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <vector>

#include "dshn/experiments/significance.hpp"

/// The figures of a stored cell, in per cent: what its splits come to.
namespace dshn::experiments {

/// The test figure of one split.
struct SplitFigure {
  std::uint64_t seed = 0;
  int split = 0;
  double test = 0;
};

/// Of every split, by seed and split; empty where the cell keeps means only.
std::vector<SplitFigure> split_figures(const nlohmann::ordered_json& cell);

/// Test items by training items of a split; empty in cells that do not say.
std::optional<double> test_per_train(const nlohmann::ordered_json& cell);

/// {"mean", "std", "n"}, and "interval" [low, high] where the sizes of the parts are known.
nlohmann::ordered_json figure_json(const Sample& sample, std::optional<double> test_per_train = {});

/// The cell with "test" and "validation" as figure_json() gives them, and beside the "paper"'s figure, where
/// there is one, with "difference": {"mean", "sign"} and, where both deviations are known, {"interval",
/// "word"}. The sign is that of the difference of means alone ("mean above", "mean below", "same mean"); the word
/// counts how uncertain both means are. Cells of version 0.1, whose deviations have n below the line, are brought
/// to n - 1.
nlohmann::ordered_json with_figures(nlohmann::ordered_json cell);

}  // namespace dshn::experiments
