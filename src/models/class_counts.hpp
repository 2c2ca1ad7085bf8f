#pragma once

#include <ATen/ATen.h>

#include <vector>

#include "dshn/hypergraph/hypergraph.hpp"

namespace dshn::models {

/// Share of each class among the training items, each class counted once more than it occurs: positive and
/// below 1. What the rules fall back on, and what breaks their ties.
inline at::Tensor class_prior(std::int64_t classes, const std::vector<Index>& labels,
                              const std::vector<Index>& training) {
  at::Tensor counts = at::ones({classes}, at::kDouble);
  for (const Index item : training) counts.data_ptr<double>()[labels[item]] += 1;
  return counts / counts.sum();
}

}  // namespace dshn::models
