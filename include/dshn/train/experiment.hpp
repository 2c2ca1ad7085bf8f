#pragma once

#include <memory>
#include <string>
#include <vector>

#include "dshn/data/features.hpp"
#include "dshn/data/open.hpp"
#include "dshn/data/splits.hpp"
#include "dshn/models/registry.hpp"
#include "dshn/train/objective.hpp"
#include "dshn/train/settings.hpp"

namespace dshn::train {

struct RankPart;

/// A data set made ready for a model: features, labels, splits and the words to print beside every figure.
struct Experiment {
  Settings settings;
  Options training;
  std::shared_ptr<const data::Dataset> dataset;
  std::vector<data::Split> splits;
  std::string protocol;  // splits and the rule that selects the epoch
  std::string metric;
  std::vector<std::string> warnings;
  data::FeatureOptions features;  // how those of the input were made
  models::Input input;            // on the device, in the chosen precision
  models::Sizes sizes;
  at::Device device = at::kCPU;
  /// What other ranks have beside this one; null: this is all of the data (rank_part.hpp).
  std::shared_ptr<const RankPart> part;

  /// Checks that the data set can be trained on: UsageError for options that do not fit, InvalidInput for
  /// targets that are missing, of one class or all the same, and for splits without training or validation items. Nothing
  /// is copied but what the options ask to be made or scaled.
  Experiment(std::shared_ptr<const data::Dataset> dataset, const Settings& settings);
  /// Of the data set that the settings name, opened for this one use.
  explicit Experiment(const Settings& settings);
  /// Of one rank: a part that was cut from a checked experiment, with the features that the model takes.
  Experiment(std::shared_ptr<const data::Dataset> dataset, const Settings& settings,
             std::shared_ptr<const RankPart> part);

  std::shared_ptr<models::Model> new_model(int split) const;
  /// What a model of the split is to say; numbers are scaled by those of its training part.
  std::shared_ptr<const Objective> objective(int split) const;
  /// What the model's prepare() makes of the input: the same for all splits, worked out once.
  const models::Input& prepared() const;
  bool is_prepared() const { return prepared_ != nullptr; }
  /// Bytes that training one split will need beside what is already held: what the model prepares, parameters,
  /// their moments and gradients, kept activations and the largest temporaries. Measured on a small input that
  /// is made up for it, on the CPU, once in a process for all experiments of one shape, whatever their seeds;
  /// meant to be right within a quarter there, which `bench/estimates.cpp` compares. Measuring sets the seed of
  /// libtorch's generator.
  double needed_bytes() const;
  /// From here on, models work out again what they could keep, where memory=auto leaves that open: the same numbers with
  /// less memory. False, and nothing changes, where the model cannot or the option says otherwise.
  bool save_memory() const;
  bool saves_memory() const { return saves_memory_; }
  /// The same model and options on other data that lie on the CPU, with these splits.
  Experiment on(std::shared_ptr<const data::Dataset> other, std::vector<data::Split> parts,
                models::Input made) const;

 private:
  mutable std::shared_ptr<const models::Input> prepared_;
  mutable bool saves_memory_ = false;
};

/// The figure that validation goes by, as the option `metric` says; auto: accuracy for classes of nodes, macro-f1 for
/// classes of hyperedges, r2 for numbers, micro-f1 for labels. UsageError for one that the targets do not have.
std::string metric_name(const Options& training, const data::Dataset& dataset);

/// How data::open is asked for the data set that the settings name.
data::OpenOptions open_options(const Settings& settings);

/// The node features that the settings ask for.
data::FeatureOptions feature_options(const data::Dataset& dataset, const Settings& settings);

/// What a model takes: these features on a device, in the precision of the settings. Labels may be absent.
models::Input input_for(const data::Dataset& dataset, const Settings& settings,
                        const data::FeatureOptions& features, const at::Device& device);

/// A name for each column of these features.
std::vector<std::string> input_columns(const data::Dataset& dataset, const Settings& settings,
                                       const data::FeatureOptions& features);

/// What fixes the shapes of a model's parameters.
models::Sizes sizes_of(const models::Input& input, data::Task task, std::int64_t classes);

/// The device that `auto`, `cpu` or `cuda` means here. UsageError for cuda where there is none.
at::Device choose_device(const std::string& name);

}  // namespace dshn::train
