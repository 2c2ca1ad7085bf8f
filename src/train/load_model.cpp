#include "dshn/train/load_model.hpp"

#include <fmt/format.h>
#include <torch/torch.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "dshn/base/error.hpp"
#include "dshn/io/run_files.hpp"
#include "dshn/train/experiment.hpp"
#include "dshn/train/run.hpp"
#include "dshn/train/run_inputs.hpp"
#include "dshn/train/safetensors.hpp"

namespace dshn::train {
namespace {

/// Copies weights into a model whose parameters have the same names and shapes; `where` they come from begins
/// the message where they do not fit.
void load_weights(models::Model& model, const std::map<std::string, at::Tensor>& weights,
                  const std::string& where) {
  const torch::NoGradGuard no_grad;
  auto copy = [&](const std::string& name, at::Tensor& to) {
    const auto found = weights.find(name);
    if (found == weights.end() || found->second.sizes() != to.sizes()) {
      throw InvalidInput(
          fmt::format("{}: '{}' is missing or of another shape: the weights belong to another model, or "
                      "the data set has other features or classes",
                      where, name));
    }
    to.copy_(found->second);
  };
  for (auto& entry : model.named_parameters()) copy(entry.key(), entry.value());
  for (auto& entry : model.named_buffers()) copy(entry.key(), entry.value());
}

/// What the training wrote down beside the weights.
std::int64_t stored_classes(const TensorFile& file, const std::filesystem::path& path) {
  const auto format = file.metadata.find("format");
  const auto run = file.metadata.find("run");
  const nlohmann::json description =
      run == file.metadata.end() ? nlohmann::json() : nlohmann::json::parse(run->second, nullptr, false);
  if (format == file.metadata.end() || format->second != "dshn-model" || !description.is_object() ||
      !description.contains("classes") || !description["classes"].is_number_integer()) {
    throw InvalidInput(fmt::format("{}: not a dshn model", path.string()));
  }
  const auto classes = description["classes"].get<std::int64_t>();
  // Every model has a bias or a share for each class: a number that no tensor has is not the number of classes.
  const auto has_it = [&](const auto& entry) {
    const at::IntArrayRef sizes = entry.second.sizes();
    return std::find(sizes.begin(), sizes.end(), classes) != sizes.end();
  };
  if (std::none_of(file.tensors.begin(), file.tensors.end(), has_it))
    throw InvalidInput(
        fmt::format("{}: says that it knows {} classes, which its weights do not", path.string(), classes));
  return classes;
}

/// A model and how many outputs it has for an item.
struct StoredModel {
  std::shared_ptr<models::Model> model;
  std::int64_t width;
};

StoredModel stored_model(const std::filesystem::path& run, int split, const Settings& settings,
                         const models::Input& input, data::Task task) {
  const std::filesystem::path path = io::split_folder(run, split) / io::kModelFile;
  const TensorFile file = read_safetensors(path);
  const std::int64_t width = stored_classes(file, path);
  const models::Sizes sizes = sizes_of(input, task, width);
  std::shared_ptr<models::Model> model =
      models::find_model(settings.model).create(settings.model_options(), sizes);
  load_weights(*model, file.tensors, path.string());
  model->to(input.x.device(), input.x.scalar_type());
  model->eval();
  return {model, width};
}

/// What the outputs of a split's model mean. Runs of version 0.1, which kept no inputs, have classes.
std::shared_ptr<const Objective> stored_objective(const std::filesystem::path& run, int split,
                                                  std::int64_t width, const data::Dataset& dataset) {
  const std::optional<RunInputs> inputs = read_inputs(run);
  const data::TargetKind kind = inputs ? inputs->code.target : data::TargetKind::classes;
  if (dataset.has_targets() && dataset.code.target != kind) {
    throw InvalidInput(fmt::format("{}: has {} to predict, but the model was trained on {}", dataset.name,
                                   data::target_kind_name(dataset.code.target),
                                   data::target_kind_name(kind)));
  }
  if (dataset.has_targets() && kind != data::TargetKind::classes && dataset.class_count != width) {
    throw InvalidInput(fmt::format("{}: has {} columns of {}, but the model was trained on {}", dataset.name,
                                   dataset.class_count, data::target_kind_name(kind), width));
  }
  if (kind != data::TargetKind::numbers) return make_objective(kind, width);
  if (split >= static_cast<int>(inputs->target_scales.size()))
    throw InvalidInput(fmt::format("{}: keeps no scale of the numbers of split {}", run.string(), split));
  return make_objective(kind, width, inputs->target_scales[split]);
}

data::FeatureOptions features_for(const std::filesystem::path& run, const Settings& settings,
                                  const data::Dataset& dataset) {
  const std::optional<RunInputs> inputs = read_inputs(run);
  return inputs ? feature_plan(*inputs, dataset) : feature_options(dataset, settings);
}

}  // namespace

std::shared_ptr<models::Model> trained_model(const Experiment& experiment, const SplitResult& split) {
  std::shared_ptr<models::Model> model = experiment.new_model(split.split);
  load_weights(*model, split.weights, fmt::format("split {}", split.split));
  model->eval();
  return model;
}

LoadedModel load_model(const std::filesystem::path& run, int split, const Settings& settings,
                       const data::Dataset& dataset) {
  const models::Input input =
      input_for(dataset, settings, features_for(run, settings, dataset), choose_device(settings.device));
  const StoredModel stored = stored_model(run, split, settings, input, dataset.task);
  return {stored.model, input, stored.model->prepare(input),
          stored_objective(run, split, stored.width, dataset)};
}

std::vector<std::string> feature_names(const std::filesystem::path& run, const Settings& settings,
                                       const data::Dataset& dataset) {
  return input_columns(dataset, settings, features_for(run, settings, dataset));
}

LoadedModel load_model(const std::filesystem::path& run, int split, const Experiment& experiment) {
  const StoredModel stored =
      stored_model(run, split, experiment.settings, experiment.input, experiment.dataset->task);
  return {stored.model, experiment.input, experiment.prepared(), experiment.objective(split)};
}

}  // namespace dshn::train
