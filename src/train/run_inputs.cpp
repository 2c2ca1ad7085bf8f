#include "dshn/train/run_inputs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "dshn/base/error.hpp"
#include "dshn/data/reading.hpp"
#include "dshn/data/splits.hpp"
#include "dshn/io/atomic_file.hpp"
#include "dshn/io/file_system.hpp"
#include "dshn/io/run_files.hpp"
#include "dshn/train/experiment.hpp"
#include "dshn/train/rank_part.hpp"
#include "train/run_inputs_json.hpp"
#include "train/spectral_features.hpp"

namespace dshn::train {
namespace {

namespace fs = std::filesystem;

bool uses(const data::FeatureOptions& features, data::FeatureKind kind) {
  return std::ranges::find(features.kinds, kind) != features.kinds.end();
}

/// The features as the experiment has made them, with what other data must not decide anew.
data::FeatureOptions fixed_features(const Experiment& experiment) {
  data::FeatureOptions features = experiment.features;
  const data::Dataset& dataset = *experiment.dataset;
  if (uses(features, data::FeatureKind::one_hot_degree)) {
    features.one_hot_columns =
        make_features(dataset.hypergraph, data::FeatureKind::one_hot_degree, features).cols();
  }
  features.scale = data::feature_scale(dataset, features);
  return features;
}

std::string difference(data::TargetKind then, data::TargetKind now) {
  if (then == now) return "";
  return fmt::format("the {} to predict have become {}", data::target_kind_name(then),
                     data::target_kind_name(now));
}

/// Which split of a run is not today's; empty where all are.
std::string difference(const std::vector<std::string>& then, const std::vector<std::string>& now) {
  for (std::size_t s = 0; s < std::min(then.size(), now.size()); ++s) {
    if (then[s] != now[s]) return fmt::format("split {} has changed", s);
  }
  return "";
}

void refuse_difference(const std::string& what, const RunInputs& then, const fs::path& folder) {
  if (what.empty()) return;
  throw InvalidInput(fmt::format("{}: {} since the run began on {}", folder.string(), what, then.data),
                     Topic{"data-changed"});
}

/// The names that one list has and the other lacks, the first few of them.
std::string lacking(const std::vector<std::string>& wanted, const std::vector<std::string>& there) {
  std::vector<std::string> missing;
  for (const std::string& name : wanted) {
    if (std::ranges::find(there, name) == there.end()) missing.push_back(name);
  }
  const std::size_t shown = std::min<std::size_t>(missing.size(), 5);
  const std::string more = missing.size() > shown ? fmt::format(" and {} more", missing.size() - shown) : "";
  return fmt::format(
      "{}{}", fmt::join(missing.begin(), missing.begin() + static_cast<std::ptrdiff_t>(shown), ", "), more);
}

void check_columns(const RunInputs& inputs, const data::Dataset& dataset) {
  if (dataset.node_features.cols() != inputs.stored_columns) {
    throw InvalidInput(fmt::format("{}: trained on {} features, got {}", dataset.name, inputs.stored_columns,
                                   dataset.node_features.cols()));
  }
  const std::vector<std::string>& names = dataset.node_feature_names;
  if (names.empty() || inputs.stored_names.empty() || names == inputs.stored_names) return;
  throw InvalidInput(fmt::format("{}: other features than in training; missing: {}", dataset.name,
                                 lacking(inputs.stored_names, names)));
}

/// What the settings read: the data itself and the files beside it.
std::map<std::string, std::string*> read_paths(Settings& settings) {
  std::map<std::string, std::string*> paths{{"data", &settings.data}};
  const Assignments kept = data::without_files(settings.reading);
  for (auto& [option, value] : settings.reading) {
    if (!kept.contains(option)) paths[option] = &value;
  }
  return paths;
}

/// A file or folder that is there under one of the names that the run may know it by. Runs of 0.1 know only the
/// one that was given, and lie beside their data more often than not.
std::string found_path(const std::string& given, const RunInputs::Place* known, const fs::path& folder) {
  const fs::path beside = fs::absolute(folder).lexically_normal().parent_path() / given;
  std::error_code ignored;
  for (const fs::path& path : {known != nullptr ? known->absolute : fs::path(given),
                               known != nullptr ? folder / known->relative : beside}) {
    if (fs::exists(path, ignored)) return path.string();
  }
  return given;
}

/// What options were that a run without inputs does not name.
void take_old_defaults(Settings& settings) {
  settings.old_defaults = true;
  if (settings.model != "dshn" && settings.model != "dshn-light") return;
  settings.set.insert({{"layers", "4"}, {"residual", "false"}, {"input_dropout", "0"}});
}

/// Of parts: as they were before the cut.
RunInputs inputs_of_whole(const Experiment& experiment, const fs::path& folder) {
  RunInputs inputs = experiment.part->whole.inputs;
  inputs.options = experiment.settings.all_options();
  for (auto& [name, place] : inputs.places)
    place.relative = place.absolute.lexically_relative(fs::weakly_canonical(folder));
  return inputs;
}

}  // namespace

std::vector<fs::path> files_of(const Settings& settings) {
  Settings looked_at = settings;
  std::vector<fs::path> files;
  for (const auto& [name, path] : read_paths(looked_at)) files.emplace_back(*path);
  return files;
}

RunInputs inputs_of(const Experiment& experiment, const fs::path& folder) {
  if (experiment.part) return inputs_of_whole(experiment, folder);
  const data::Dataset& dataset = *experiment.dataset;
  RunInputs inputs;
  inputs.data = dataset.name;
  inputs.task = dataset.task;
  inputs.digests = data::digests_of(dataset);
  for (const data::Split& split : experiment.splits) inputs.split_digests.push_back(data::digest_of(split));
  inputs.code = dataset.code;
  if (dataset.code.target == data::TargetKind::numbers) {
    for (const data::Split& split : experiment.splits)
      inputs.target_scales.push_back(target_scale(dataset, split.train));
  }
  inputs.stored_columns = dataset.node_features.cols();
  inputs.stored_names = dataset.node_feature_names;
  inputs.features = fixed_features(experiment);
  inputs.options = experiment.settings.all_options();
  Settings settings = experiment.settings;
  for (const auto& [name, path] : read_paths(settings)) {
    std::error_code ignored;
    if (!fs::exists(*path, ignored)) continue;
    const fs::path absolute = fs::weakly_canonical(*path);
    inputs.places[name] = {absolute, absolute.lexically_relative(fs::weakly_canonical(folder))};
  }
  return inputs;
}

void write_inputs(const RunInputs& inputs, const fs::path& folder) {
  io::write_file(folder / io::kInputsFile, to_json(inputs).dump(1) + "\n");
}

std::optional<RunInputs> read_inputs(const fs::path& folder) {
  const fs::path path = folder / io::kInputsFile;
  if (!fs::exists(path)) return std::nullopt;
  return inputs_from_json(io::read_file(path), path.string());
}

void remember(const Experiment& experiment, const fs::path& folder) {
  const RunInputs now = inputs_of(experiment, folder);
  if (const auto then = read_inputs(folder)) {
    refuse_difference(difference(then->code.target, now.code.target), *then, folder);
    refuse_difference(difference(then->digests, now.digests), *then, folder);
    refuse_difference(difference(then->split_digests, now.split_digests), *then, folder);
  } else {
    io::make_folders(folder);
    write_inputs(now, folder);
  }
}

void check_unchanged(const data::Dataset& dataset, const fs::path& folder) {
  if (const auto then = read_inputs(folder)) {
    refuse_difference(difference(then->code.target, dataset.code.target), *then, folder);
    refuse_difference(difference(then->digests, data::digests_of(dataset)), *then, folder);
  }
}

Settings read_to_go_on(const fs::path& folder) {
  Settings settings = read_config(folder / io::kConfigFile);
  const std::optional<RunInputs> inputs = read_inputs(folder);
  // Inputs are written before the first split.
  if (!inputs && fs::exists(io::split_folder(folder, 0))) take_old_defaults(settings);
  if (!inputs) return settings;
  check_stored(settings, folder / io::kConfigFile);
  const Assignments now = settings.all_options();
  for (const auto& [name, value] : inputs->options) {
    const auto known = now.find(name);
    if (known != now.end() && known->second != value) settings.set.emplace(name, value);
  }
  return settings;
}

Settings read_run(const fs::path& folder) {
  Settings settings = read_config(folder / io::kConfigFile);
  const std::optional<RunInputs> inputs = read_inputs(folder);
  if (inputs) settings.set = inputs->options;
  if (!inputs) {
    take_old_defaults(settings);
    settings.set["split"] = data::split_of_0_1(settings.set["split"]);
  }
  for (const auto& [name, path] : read_paths(settings)) {
    const bool known = inputs && inputs->places.contains(name);
    if (inputs && !known) continue;
    *path = found_path(*path, known ? &inputs->places.at(name) : nullptr, folder);
  }
  check_stored(settings, folder);
  if (inputs && settings.splits > 0 &&
      inputs->split_digests.size() != static_cast<std::size_t>(settings.splits))
    throw InvalidInput(fmt::format("{}: {} says {} splits, but the run has {}", folder.string(),
                                   io::kConfigFile, settings.splits, inputs->split_digests.size()));
  return settings;
}

data::FeatureOptions feature_plan(const RunInputs& inputs, const data::Dataset& dataset) {
  data::FeatureOptions plan = inputs.features;
  if (uses(plan, data::FeatureKind::stored)) check_columns(inputs, dataset);
  for (const data::FeatureKind kind : {data::FeatureKind::random, data::FeatureKind::spectral}) {
    if (!uses(plan, kind) || data::digests_of(dataset).hypergraph == inputs.digests.hypergraph) continue;
    throw InvalidInput(
        fmt::format("{}: the model was trained on {} features, which mean nothing on another hypergraph",
                    dataset.name, data::feature_kind_name(kind)));
  }
  return plan;
}

data::OpenOptions options_for_data(const fs::path& run, Settings& settings, const std::string& other,
                                   const Assignments& reading) {
  if (!other.empty()) {
    settings.data = other;
    settings.reading = data::without_files(settings.reading);
  }
  for (const auto& [name, value] : reading) settings.reading[name] = value;
  data::OpenOptions options = open_options(settings);
  if (other.empty()) return options;
  const auto inputs = read_inputs(run);
  if (!inputs) {
    throw InvalidInput(fmt::format(
        "{}: a run of version 0.1, which did not keep how features were scaled; train again to use "
        "the model on other data",
        run.string()));
  }
  options.like = inputs->code;
  options.task = inputs->task;
  return options;
}

}  // namespace dshn::train
