#pragma once

#include <string>
#include <vector>

#include "dshn/data/splits.hpp"
#include "dshn/models/registry.hpp"
#include "dshn/train/settings.hpp"

namespace dshn::train {

/// A data set made ready for a model: features, labels, splits and the words to print beside every figure.
struct Experiment {
  Settings settings;
  Options training;
  data::Dataset dataset;
  std::vector<data::Split> splits;
  std::string protocol;  // splits and the rule that selects the epoch
  std::string metric;
  std::vector<std::string> warnings;
  models::Input input;  // on the device, in the chosen precision
  models::Sizes sizes;
  at::Device device = at::kCPU;

  /// Opens the data set and checks that it can be trained on: UsageError for options that do not fit,
  /// InvalidInput for labels that are missing or of one class only and for splits without training or
  /// validation items.
  explicit Experiment(const Settings& settings);

  std::shared_ptr<models::Model> new_model(int split) const;
};

/// Only what inference needs of a data set: features made as in training; labels may be absent.
models::Input input_for(const data::Dataset& dataset, const at::Device& device, at::ScalarType type);

/// The device that `auto`, `cpu` or `cuda` means here. UsageError for cuda where there is none.
at::Device choose_device(const std::string& name);

/// Opens and featurises as the training options say.
data::Dataset open_featured(const Settings& settings, const Options& training);

}  // namespace dshn::train
