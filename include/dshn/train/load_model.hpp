#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "dshn/train/experiment.hpp"

namespace dshn::train {

/// A trained model and what its forward() takes.
struct LoadedModel {
  std::shared_ptr<models::Model> model;
  models::Input given;  // before the model's prepare()
  models::Input input;
  std::shared_ptr<const Objective> objective;  // what its outputs mean
};

/// The weights of one split of a run, in a model that fits the data set (the run's own, or another one with the
/// same features). UsageError or InvalidInput where they do not fit.
LoadedModel load_model(const std::filesystem::path& run, int split, const Settings& settings,
                       const data::Dataset& dataset);
/// The same on what the experiment has prepared.
LoadedModel load_model(const std::filesystem::path& run, int split, const Experiment& experiment);

/// A name for each column of the features that a model of the run is given of this data set.
std::vector<std::string> feature_names(const std::filesystem::path& run, const Settings& settings,
                                       const data::Dataset& dataset);

}  // namespace dshn::train
