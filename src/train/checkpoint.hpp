#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "dshn/train/split_run.hpp"
#include "train/flat_adam.hpp"

namespace dshn::train {

/// Where a split stands between two epochs. Random masks are functions of the epoch, so no generator is kept.
struct SplitState {
  int epoch = 0;
  bool done = false;
  double seconds = 0;
  SplitResult best;
  std::map<std::string, at::Tensor> best_weights;
  std::vector<EpochRecord> records;
};

/// Copies of all parameters and buffers by name, on the device where they are.
std::map<std::string, at::Tensor> weights_of(const torch::nn::Module& module);

/// What a split's files say they belong to: a checkpoint of anything else is refused.
std::string split_description(const Experiment& experiment, int split);

/// Writes metrics.jsonl and model.safetensors.
void save_model(const std::filesystem::path& folder, const std::string& description,
                const std::map<std::string, at::Tensor>& weights, const std::vector<EpochRecord>& records);

/// Writes metrics.jsonl, model.safetensors and, last, state.safetensors, each complete or not at all.
void save_checkpoint(const std::filesystem::path& folder, const std::string& description,
                     const FlatAdam& adam, const SplitState& state);

/// What metrics.jsonl in a split's folder says of it: how many epochs there were, which was the best, and the
/// figures of that one. InvalidInput where it cannot be read.
SplitResult best_of_records(const std::filesystem::path& folder, const Metric& metric);

/// What there is goes to `adam`, which takes so many steps in an epoch, and `state`; false when there is nothing. InvalidInput for a file of another version, another run or with a broken
/// content.
bool load_checkpoint(const std::filesystem::path& folder, const std::string& description, FlatAdam& adam,
                     std::int64_t steps_of_epoch, SplitState& state);

}  // namespace dshn::train
