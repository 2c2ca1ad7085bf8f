#pragma once

#include <filesystem>

#include "dshn/train/run.hpp"

namespace dshn::train {

/// Loads the weights of one split of a run and applies the model to a data set (the run's own, or another one
/// with the same features): class probabilities [items, classes], float64. UsageError or InvalidInput where
/// they do not fit.
at::Tensor predict(const std::filesystem::path& run, int split, const Settings& settings,
                   const data::Dataset& dataset);

/// The run's figures on train, val and test again, from the weights of those splits that are stored.
/// InvalidInput where none is.
RunResult evaluate(const Experiment& experiment, const std::filesystem::path& run);

/// CSV: id, predicted class, one probability per class; with a split also the part and the true class.
void write_predictions(const std::filesystem::path& path, const data::Dataset& dataset,
                       const at::Tensor& probabilities, const data::Split* split = nullptr);

}  // namespace dshn::train
