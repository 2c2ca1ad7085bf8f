#pragma once

#include <filesystem>

#include "dshn/train/load_model.hpp"
#include "dshn/train/run.hpp"

namespace dshn::train {

/// Class probabilities [items, classes], float64 on the CPU.
at::Tensor predict(const LoadedModel& loaded);

/// The run's figures on train, val and test again, from the weights of those splits that are stored.
/// InvalidInput where none is.
RunResult evaluate(const Experiment& experiment, const std::filesystem::path& run);

/// CSV: id, predicted class, one probability per class; with a split also the part and the true class.
void write_predictions(const std::filesystem::path& path, const data::Dataset& dataset,
                       const at::Tensor& probabilities, const data::Split* split = nullptr);

}  // namespace dshn::train
