#pragma once

#include <filesystem>
#include <optional>

#include "dshn/train/experiment.hpp"

namespace dshn::train {

/// The sheaf of the last layer of one split of a run on its data set, float64 on the CPU; nothing for models
/// without one.
std::optional<models::LayerSheaf> learned_sheaf(const std::filesystem::path& run, int split,
                                                const Settings& settings, const data::Dataset& dataset);

}  // namespace dshn::train
