#pragma once

#include <filesystem>
#include <memory>

#include "dshn/train/experiment.hpp"

namespace dshn::train {

/// A trained model and what its forward() takes.
struct LoadedModel {
  std::shared_ptr<models::Model> model;
  models::Input input;
  std::int64_t classes = 0;
};

/// The weights of one split of a run, in a model that fits the data set. UsageError or InvalidInput where
/// they do not fit.
LoadedModel load_model(const std::filesystem::path& run, int split, const Settings& settings,
                       const data::Dataset& dataset);

}  // namespace dshn::train
