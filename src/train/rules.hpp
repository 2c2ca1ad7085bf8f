#pragma once

#include "dshn/train/split_run.hpp"

namespace dshn::train {

/// What run_splits does for a model that is a rule: one look at the training labels instead of epochs. Leaves
/// model.safetensors and metrics.jsonl with one line; nothing to resume.
SplitResult run_rule(const Experiment& experiment, int split, const std::filesystem::path& folder);

}  // namespace dshn::train
