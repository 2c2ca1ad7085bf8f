#include "train/load_model.hpp"

#include <fmt/format.h>
#include <torch/torch.h>

#include <nlohmann/json.hpp>

#include "dshn/base/error.hpp"
#include "dshn/train/run.hpp"
#include "dshn/train/safetensors.hpp"

namespace dshn::train {
namespace {

/// Copies stored weights into a model whose parameters have the same names and shapes.
void load_weights(models::Model& model, const std::filesystem::path& path) {
  const TensorFile file = read_safetensors(path);
  const auto format = file.metadata.find("format");
  if (format == file.metadata.end() || format->second != "dshn-model") {
    throw InvalidInput(fmt::format("{}: not a dshn model", path.string()));
  }
  const torch::NoGradGuard no_grad;
  auto copy = [&](const std::string& name, at::Tensor& to) {
    const auto found = file.tensors.find(name);
    if (found == file.tensors.end() || found->second.sizes() != to.sizes()) {
      throw InvalidInput(
          fmt::format("{}: '{}' is missing or of another shape: the weights belong to another model, or "
                      "the data set has other features or classes",
                      path.string(), name));
    }
    to.copy_(found->second);
  };
  for (auto& entry : model.named_parameters()) copy(entry.key(), entry.value());
  for (auto& entry : model.named_buffers()) copy(entry.key(), entry.value());
}

/// What the training wrote down beside the weights.
std::int64_t stored_classes(const std::filesystem::path& path) {
  const TensorFile file = read_safetensors(path);
  const auto run = file.metadata.find("run");
  const nlohmann::json description =
      run == file.metadata.end() ? nlohmann::json() : nlohmann::json::parse(run->second, nullptr, false);
  if (!description.is_object() || !description.contains("classes") ||
      !description["classes"].is_number_integer()) {
    throw InvalidInput(fmt::format("{}: not a dshn model", path.string()));
  }
  return description["classes"];
}

}  // namespace

LoadedModel load_model(const std::filesystem::path& run, int split, const Settings& settings,
                       const data::Dataset& dataset) {
  const std::filesystem::path path = split_folder(run, split) / "model.safetensors";
  const Options training = settings.training();
  const at::Device device = choose_device(settings.device);
  const models::Input input =
      input_for(dataset, device, training.is("precision", "float64") ? at::kDouble : at::kFloat);
  const models::Sizes sizes{
      input.incidence.nodes(),
      input.incidence.edges(),
      input.x.size(1),
      input.edge_x.defined() ? input.edge_x.size(1) : 0,
      stored_classes(path),
      dataset.task == data::Task::node_classification ? models::Target::nodes : models::Target::hyperedges};
  LoadedModel loaded;
  loaded.classes = sizes.classes;
  loaded.model = models::find_model(settings.model).create(settings.model_options(), sizes);
  load_weights(*loaded.model, path);
  loaded.model->to(device, input.x.scalar_type());
  loaded.model->eval();
  loaded.input = loaded.model->prepare(input);
  return loaded;
}

}  // namespace dshn::train
