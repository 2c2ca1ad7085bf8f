#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "dshn/base/error.hpp"
#include "dshn/train/experiment.hpp"

namespace dshn::train {

/// Bytes that the system can still give this process, of its share DSHN_MEMORY_SHARE where it is one of several workers;
/// on a GPU, that the card can, of this process's share where several have one.
double available_bytes(const at::Device& device);

/// Gives what ended trainings leave unused back to the card, for other programs on it and for what comes next. No
/// training may be under way.
void return_unused(const at::Device& device);

/// From here on, memory of the card beyond this process's share is refused to it: where several processes share a
/// card, none starves the others.
void keep_to_share(const at::Device& device);

/// Processes that share a GPU, this one among them: DSHN_GPU_PROCESSES, else 1. UsageError where that is no
/// number.
int gpu_processes();

/// Thrown when a model does not fit the memory.
class TooLarge : public Failure {
 public:
  using Failure::Failure;
};

/// TooLarge, naming both numbers, when the estimate is above what there is, also with Experiment::save_memory(), which
/// this asks for where it is needed; `available` bytes, if given. On a CPU for so
/// many processes as train splits side by side, at most one for each; a GPU's memory is shared by them otherwise.
void check_memory(const Experiment& experiment, std::optional<double> available = std::nullopt,
                  int processes = 1);

}  // namespace dshn::train
