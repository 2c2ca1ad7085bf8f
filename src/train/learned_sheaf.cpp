#include "dshn/train/learned_sheaf.hpp"

#include <torch/torch.h>

#include "train/load_model.hpp"

namespace dshn::train {

std::optional<models::LayerSheaf> learned_sheaf(const std::filesystem::path& run, int split,
                                                const Settings& settings, const data::Dataset& dataset) {
  const torch::NoGradGuard no_grad;
  const LoadedModel loaded = load_model(run, split, settings, dataset);
  std::vector<models::LayerSheaf> sheaves = loaded.model->sheaves(loaded.input);
  if (sheaves.empty()) return std::nullopt;
  models::LayerSheaf last = std::move(sheaves.back());
  last.maps = last.maps.to(at::kCPU, at::kDouble);
  return last;
}

}  // namespace dshn::train
