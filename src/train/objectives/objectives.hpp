#pragma once

#include "dshn/train/objective.hpp"

namespace dshn::train {

std::shared_ptr<const Objective> class_objective(std::int64_t width);
std::shared_ptr<const Objective> number_objective(std::int64_t width, const TargetScale& scale);
std::shared_ptr<const Objective> label_objective(std::int64_t width);

/// The mean of all elements in an order that does not depend on the number of threads.
at::Tensor steady_mean(const at::Tensor& values);

/// The values of these items as [items, width].
at::Tensor value_rows(const data::Dataset& dataset, const std::vector<Index>& items,
                      const at::TensorOptions& like);

}  // namespace dshn::train
