#pragma once

#include <optional>

#include "dshn/train/load_model.hpp"

namespace dshn::train {

/// The sheaf of the last layer, float64 on the CPU; nothing for models without one.
std::optional<models::LayerSheaf> learned_sheaf(const LoadedModel& loaded);

}  // namespace dshn::train
