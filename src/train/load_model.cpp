#include "dshn/train/load_model.hpp"

#include <fmt/format.h>
#include <torch/torch.h>

#include <nlohmann/json.hpp>

#include "dshn/base/error.hpp"
#include "dshn/io/run_files.hpp"
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
  return description["classes"];
}

std::shared_ptr<models::Model> stored_model(const std::filesystem::path& run, int split,
                                            const Settings& settings, const models::Input& input,
                                            data::Task task) {
  const std::filesystem::path path = io::split_folder(run, split) / io::kModelFile;
  const TensorFile file = read_safetensors(path);
  const models::Sizes sizes = sizes_of(input, task, stored_classes(file, path));
  std::shared_ptr<models::Model> model =
      models::find_model(settings.model).create(settings.model_options(), sizes);
  load_weights(*model, file.tensors, path.string());
  model->to(input.x.device(), input.x.scalar_type());
  model->eval();
  return model;
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
  const auto model = stored_model(run, split, settings, input, dataset.task);
  return {model, input, model->prepare(input)};
}

std::vector<std::string> feature_names(const std::filesystem::path& run, const Settings& settings,
                                       const data::Dataset& dataset) {
  return input_columns(dataset, settings, features_for(run, settings, dataset));
}

LoadedModel load_model(const std::filesystem::path& run, int split, const Experiment& experiment) {
  return {stored_model(run, split, experiment.settings, experiment.input, experiment.dataset->task),
          experiment.input, experiment.prepared()};
}

}  // namespace dshn::train
