#pragma once

#include <filesystem>
#include <memory>

#include "dshn/train/experiment.hpp"

namespace dshn::train {

/// A trained model and what its forward() takes.
struct LoadedModel {
  std::shared_ptr<models::Model> model;
  models::Input input;
};

/// The weights of one split of a run, in a model that fits the data set (the run's own, or another one with the
/// same features). UsageError or InvalidInput where they do not fit.
LoadedModel load_model(const std::filesystem::path& run, int split, const Settings& settings,
                       const data::Dataset& dataset);
/// The same on what the experiment has prepared.
LoadedModel load_model(const std::filesystem::path& run, int split, const Experiment& experiment);

}  // namespace dshn::train
