#include "train/checkpoint.hpp"

#include <fmt/format.h>
#include <torch/torch.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "dshn/base/error.hpp"
#include "dshn/io/atomic_file.hpp"
#include "dshn/io/run_files.hpp"
#include "dshn/io/table.hpp"
#include "dshn/train/rank_part.hpp"
#include "dshn/train/safetensors.hpp"
#include "train/best_epoch.hpp"

namespace dshn::train {
namespace {

constexpr const char* kVersion = "2";  // 1: by 0.1, whose runs knew only the options that were set
const std::string kBestPrefix = "best.";

/// Epoch records as a tensor [epochs, 5], exact to the bit, and back; the split is not kept.
at::Tensor pack(const std::vector<EpochRecord>& records) {
  at::Tensor rows = torch::empty({static_cast<std::int64_t>(records.size()), 5}, torch::kDouble);
  auto out = rows.accessor<double, 2>();
  for (std::size_t i = 0; i < records.size(); ++i) {
    const EpochRecord& record = records[i];
    const std::array<double, 5> values{static_cast<double>(record.epoch), record.loss, record.train,
                                       record.val, record.val_loss};
    for (std::size_t k = 0; k < values.size(); ++k)
      out[static_cast<std::int64_t>(i)][static_cast<std::int64_t>(k)] = values[k];
  }
  return rows;
}

std::vector<EpochRecord> unpack(const at::Tensor& rows, int split) {
  std::vector<EpochRecord> records;
  const auto in = rows.accessor<double, 2>();
  for (std::int64_t i = 0; i < rows.size(0); ++i) {
    records.push_back({split, static_cast<int>(in[i][0]), in[i][1], in[i][2], in[i][3], in[i][4]});
  }
  return records;
}

std::string json_lines(const std::vector<EpochRecord>& records) {
  std::string text;
  for (const EpochRecord& r : records) {
    text += nlohmann::json{{"split", r.split}, {"epoch", r.epoch}, {"loss", r.loss},
                           {"train", r.train}, {"val", r.val},     {"val_loss", r.val_loss}}
                .dump() +
            "\n";
  }
  return text;
}

/// A tensor of a checkpoint, of this type and shape.
const at::Tensor& tensor_at(const TensorFile& file, const std::string& name, at::ScalarType type,
                            at::IntArrayRef shape, const std::filesystem::path& path) {
  const auto found = file.tensors.find(name);
  if (found == file.tensors.end() || found->second.sizes() != shape || found->second.scalar_type() != type) {
    throw InvalidInput(fmt::format(
        "{}: tensor '{}' is missing or of another shape: not a checkpoint of this run", path.string(), name));
  }
  return found->second;
}

/// The epoch that a checkpoint says it was made after.
int epoch_in(const std::string& word, const std::filesystem::path& path) {
  int epoch = 0;
  if (!io::parse_number(word, epoch) || epoch < 1)
    throw InvalidInput(fmt::format("{}: '{}' is no number of an epoch", path.string(), word));
  return epoch;
}

/// The best figures so far, of an epoch that has been.
void read_best(const at::Tensor& best, int epoch, SplitResult& result, const std::filesystem::path& path) {
  const auto* values = best.data_ptr<double>();
  if (!(values[0] >= 1 && values[0] <= epoch))
    throw InvalidInput(fmt::format("{}: the best epoch is {} of {}", path.string(), values[0], epoch));
  result.best_epoch = static_cast<int>(values[0]);
  result.train = values[1];
  result.val = values[2];
  result.val_loss = values[3];
}

}  // namespace

std::map<std::string, at::Tensor> weights_of(const torch::nn::Module& module) {
  std::map<std::string, at::Tensor> weights;
  for (const auto& entry : module.named_parameters()) weights[entry.key()] = entry.value().detach().clone();
  for (const auto& entry : module.named_buffers()) weights[entry.key()] = entry.value().detach().clone();
  return weights;
}

std::string split_description(const Experiment& experiment, int split) {
  nlohmann::json text{{"model", experiment.settings.model},
                      {"seed", experiment.settings.seed},
                      {"split", split},
                      {"options", experiment.settings.all_options()},
                      {"classes", experiment.dataset->class_count},
                      {"items", experiment.part ? experiment.part->whole.items
                                                : std::int64_t{experiment.dataset->item_count()}}};
  if (const data::TargetKind kind = experiment.dataset->code.target; kind != data::TargetKind::classes)
    text["target"] = data::target_kind_name(kind);
  return text.dump();
}

void save_model(const std::filesystem::path& folder, const std::string& description,
                const std::map<std::string, at::Tensor>& weights, const std::vector<EpochRecord>& records) {
  io::write_file(folder / io::kMetricsFile, json_lines(records));
  write_safetensors(folder / io::kModelFile,
                    {weights, {{"format", "dshn-model"}, {"version", kVersion}, {"run", description}}});
}

SplitResult best_of_records(const std::filesystem::path& folder, const Metric& metric) {
  const std::filesystem::path path = folder / io::kMetricsFile;
  std::istringstream lines(io::read_file(path));
  SplitResult result;
  for (std::string line; std::getline(lines, line); ++result.epochs) {
    try {
      const auto record = nlohmann::json::parse(line);
      // JSON has no number that is not finite.
      const auto figure = [&](const char* key) {
        return record.at(key).is_null() ? NAN : record.at(key).get<double>();
      };
      const EpochRecord epoch{record.at("split"), record.at("epoch"), figure("loss"),
                              figure("train"),    figure("val"),      figure("val_loss")};
      if (!is_better(epoch, result, metric)) continue;
      result.split = epoch.split;
      result.best_epoch = epoch.epoch;
      result.train = epoch.train;
      result.val = epoch.val;
      result.val_loss = epoch.val_loss;
    } catch (const nlohmann::json::exception&) {
      throw InvalidInput(fmt::format("{}: line {}: expected the figures of an epoch as one JSON object",
                                     path.string(), result.epochs + 1));
    }
  }
  return result;
}

void save_checkpoint(const std::filesystem::path& folder, const std::string& description,
                     const FlatAdam& adam, const SplitState& state) {
  std::map<std::string, at::Tensor> best;
  for (const auto& [name, tensor] : state.best_weights) best[name] = tensor.to(at::kCPU);
  save_model(folder, description, best, state.records);
  TensorFile file;
  for (const auto& [name, tensor] : best) file.tensors[kBestPrefix + name] = tensor;
  file.tensors["adam.values"] = adam.parameters().to(at::kCPU);
  file.tensors["adam.first"] = adam.first_moment().to(at::kCPU);
  file.tensors["adam.second"] = adam.second_moment().to(at::kCPU);
  file.tensors["probabilities"] = state.best.predictions.to(at::kCPU);
  file.tensors["records"] = pack(state.records);
  file.tensors["best"] = torch::tensor(
      {static_cast<double>(state.best.best_epoch), state.best.train, state.best.val, state.best.val_loss},
      torch::kDouble);
  file.tensors["seconds"] = torch::tensor({state.seconds}, torch::kDouble);
  file.metadata = {{"format", "dshn-state"},
                   {"version", kVersion},
                   {"run", description},
                   {"epoch", std::to_string(state.epoch)},
                   {"done", state.done ? "true" : "false"}};
  write_safetensors(folder / io::kStateFile, file);
}

bool load_checkpoint(const std::filesystem::path& folder, const std::string& description, FlatAdam& adam,
                     std::int64_t steps_of_epoch, SplitState& state) {
  const std::filesystem::path path = folder / io::kStateFile;
  if (!std::filesystem::exists(path)) return false;
  const TensorFile file = read_safetensors(path);
  const auto word = [&](const char* key) {
    const auto found = file.metadata.find(key);
    return found == file.metadata.end() ? std::string() : found->second;
  };
  if (word("format") != "dshn-state" || word("version") != kVersion) {
    throw InvalidInput(
        fmt::format("{}: format '{}' version '{}'; this program reads dshn-state version {}: train "
                    "again into a new folder",
                    path.string(), word("format"), word("version"), kVersion));
  }
  if (word("run") != description) {
    throw InvalidInput(
        fmt::format("{}: belongs to another run ({}); resume with that run's options or use a new "
                    "folder",
                    path.string(), word("run")));
  }
  const nlohmann::json run = nlohmann::json::parse(description);
  const auto tensor = [&](const std::string& name, at::ScalarType type, at::IntArrayRef shape) {
    return tensor_at(file, name, type, shape, path);
  };
  const at::Tensor& parameters = adam.parameters();
  const auto moment = [&](const char* name) {
    return tensor(name, parameters.scalar_type(), parameters.sizes());
  };
  state.epoch = epoch_in(word("epoch"), path);
  state.done = word("done") == "true";
  adam.restore(moment("adam.values"), moment("adam.first"), moment("adam.second"),
               state.epoch * steps_of_epoch);
  read_best(tensor("best", at::kDouble, {4}), state.epoch, state.best, path);
  state.best.predictions =
      tensor("probabilities", at::kDouble,
             {run.at("items").get<std::int64_t>(), run.at("classes").get<std::int64_t>()});
  state.seconds = tensor("seconds", at::kDouble, {1}).item<double>();
  state.records = unpack(tensor("records", at::kDouble, {state.epoch, 5}), run.at("split").get<int>());
  for (const auto& [name, weight] : adam.weights_at(parameters))
    state.best_weights[name] = tensor(kBestPrefix + name, weight.scalar_type(), weight.sizes());
  return true;
}

}  // namespace dshn::train
