#include "dshn/train/learned_sheaf.hpp"

#include <torch/torch.h>

namespace dshn::train {

std::optional<models::LayerSheaf> learned_sheaf(const LoadedModel& loaded) {
  const torch::NoGradGuard no_grad;
  std::vector<models::LayerSheaf> sheaves = loaded.model->sheaves(loaded.input);
  if (sheaves.empty()) return std::nullopt;
  models::LayerSheaf last = std::move(sheaves.back());
  last.maps = last.maps.to(at::kCPU, at::kDouble);
  if (last.charges.defined()) last.charges = last.charges.to(at::kCPU, at::kDouble);
  return last;
}

}  // namespace dshn::train
