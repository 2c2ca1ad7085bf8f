#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "dshn/data/digests.hpp"
#include "dshn/data/features.hpp"
#include "dshn/data/open.hpp"
#include "dshn/train/settings.hpp"
#include "dshn/train/target_scale.hpp"

namespace dshn::train {

struct Experiment;

/// What a run knows of its data (inputs.json): enough to use its models on other data, and to notice that its
/// own has changed.
struct RunInputs {
  std::string data;  // the data set's name
  data::Task task = data::Task::node_classification;
  data::DataDigests digests;
  std::vector<std::string> split_digests;
  data::DataCode code;
  /// Of the stored features: how many, and their names where they have any.
  Index stored_columns = 0;
  std::vector<std::string> stored_names;
  /// How the model's features were made, the scale of the training data included.
  data::FeatureOptions features;
  /// Of numbers to predict: how those of each split were scaled.
  std::vector<TargetScale> target_scales;
  /// Every option of the model and of training, so that a later default changes nothing.
  Assignments options;
  /// A file or folder that the data was read from, absolute and as seen from the run folder.
  struct Place {
    std::filesystem::path absolute, relative;

    bool operator==(const Place&) const = default;
  };
  /// "data", unless it is a built-in set, and the reading options that name files.
  std::map<std::string, Place> places;
};

RunInputs inputs_of(const Experiment& experiment, const std::filesystem::path& folder);

void write_inputs(const RunInputs& inputs, const std::filesystem::path& folder);
/// Nothing where the run was made by version 0.1, which did not write them. InvalidInput for a damaged file.
std::optional<RunInputs> read_inputs(const std::filesystem::path& folder);

/// How the data of a run is read, or where there are `other` data, these: in the same manner, except for what `reading`
/// says. The settings are the run's, and name the data that is meant afterwards. InvalidInput for other data of a run of
/// version 0.1.
data::OpenOptions options_for_data(const std::filesystem::path& run, Settings& settings,
                                   const std::string& other, const Assignments& reading);

/// The files and folders that the settings' data is read from, a built-in set's name among them.
std::vector<std::filesystem::path> files_of(const Settings& settings);

/// Writes what the experiment's run remembers, or checks that what is there is of the same data. InvalidInput
/// says what has changed: the hypergraph, the features, the labels or their kind, or a split.
void remember(const Experiment& experiment, const std::filesystem::path& folder);

/// The same check of a data set alone, for a run that is only used.
void check_unchanged(const data::Dataset& dataset, const std::filesystem::path& folder);

/// The settings of a run, every option included, with a path to its data that leads somewhere from any working
/// directory. InvalidInput where the folder holds no run.
Settings read_run(const std::filesystem::path& folder);

/// The settings of a run that is to go on: as it was asked for, and its other options where their defaults are no longer
/// the same.
Settings read_to_go_on(const std::filesystem::path& folder);

/// How features are made of a data set for a model of the run. InvalidInput where the data set has other stored
/// features, and where the model was trained on features that mean nothing on another hypergraph.
data::FeatureOptions feature_plan(const RunInputs& inputs, const data::Dataset& dataset);

}  // namespace dshn::train
