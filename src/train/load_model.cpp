#include "train/load_model.hpp"

#include <fmt/format.h>
#include <torch/torch.h>

#include <nlohmann/json.hpp>

#include "dshn/base/error.hpp"
#include "dshn/io/run_files.hpp"
#include "dshn/train/run.hpp"
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

}  // namespace

std::shared_ptr<models::Model> trained_model(const Experiment& experiment, const SplitResult& split) {
  std::shared_ptr<models::Model> model = experiment.new_model(split.split);
  load_weights(*model, split.weights, fmt::format("split {}", split.split));
  model->eval();
  return model;
}

LoadedModel load_model(const std::filesystem::path& run, int split, const Settings& settings,
                       const data::Dataset& dataset) {
  const std::filesystem::path path = io::split_folder(run, split) / io::kModelFile;
  const TensorFile file = read_safetensors(path);
  const at::Device device = choose_device(settings.device);
  const models::Input input = input_for(dataset, settings, device);
  const models::Sizes sizes = sizes_of(input, dataset.task, stored_classes(file, path));
  LoadedModel loaded;
  loaded.classes = sizes.classes;
  loaded.model = models::find_model(settings.model).create(settings.model_options(), sizes);
  load_weights(*loaded.model, file.tensors, path.string());
  loaded.model->to(device, input.x.scalar_type());
  loaded.model->eval();
  loaded.input = loaded.model->prepare(input);
  return loaded;
}

}  // namespace dshn::train
