#include "dshn/train/objective.hpp"

#include <torch/torch.h>

#include <cmath>

#include "train/objectives/objectives.hpp"

namespace dshn::train {

std::int64_t Objective::subject(const at::Tensor& outputs) const {
  return outputs.argmax(0).item<std::int64_t>();
}

std::shared_ptr<const Objective> make_objective(data::TargetKind kind, std::int64_t width,
                                                const TargetScale& scale) {
  if (kind == data::TargetKind::numbers) return number_objective(width, scale);
  return kind == data::TargetKind::labels ? label_objective(width) : class_objective(width);
}

TargetScale target_scale(const data::Dataset& dataset, const std::vector<Index>& items) {
  TargetScale scale;
  if (dataset.code.target != data::TargetKind::numbers) return scale;
  const auto count = static_cast<double>(items.size());
  for (Index c = 0; c < dataset.class_count; ++c) {
    double sum = 0;
    for (const Index item : items) sum += dataset.value(item, c);
    const double centre = sum / count;
    double squares = 0;
    for (const Index item : items) squares += std::pow(dataset.value(item, c) - centre, 2);
    const double deviation = std::sqrt(squares / count);
    scale.centre.push_back(centre);
    scale.deviation.push_back(deviation > 0 ? deviation : 1);
  }
  return scale;
}

at::Tensor steady_mean(const at::Tensor& values) {
  // libtorch adds up the rows of a matrix one by one, but cuts a long vector by its threads.
  constexpr std::int64_t kPiece = 1024;
  const auto count = static_cast<double>(values.numel());
  at::Tensor sums = values.reshape({-1});
  while (sums.numel() > kPiece) {
    const std::int64_t short_of = (kPiece - sums.numel() % kPiece) % kPiece;
    sums = at::constant_pad_nd(sums, {0, short_of}).view({-1, kPiece}).sum(1);
  }
  return sums.sum() / count;
}

at::Tensor value_rows(const data::Dataset& dataset, const std::vector<Index>& items,
                      const at::TensorOptions& like) {
  at::Tensor rows =
      torch::empty({static_cast<std::int64_t>(items.size()), dataset.class_count}, torch::kDouble);
  auto* out = rows.data_ptr<double>();
  for (const Index item : items)
    for (Index c = 0; c < dataset.class_count; ++c) *out++ = dataset.value(item, c);
  return rows.to(like);
}

}  // namespace dshn::train
