#include "dshn/train/representation.hpp"

#include <fmt/format.h>
#include <torch/torch.h>

namespace dshn::train {
namespace {

/// The sign of a principal component means nothing: its entry of largest size is made positive.
void fix_sign(at::Tensor& directions) {
  for (std::int64_t j = 0; j < directions.size(1); ++j) {
    const at::Tensor column = directions.select(1, j);
    if (column[column.abs().argmax()].item<double>() < 0) column.neg_();
  }
}

void project(Representation& result, const at::Tensor& rows) {
  const at::Tensor centred = rows - rows.mean(0, /*keepdim=*/true);
  const auto [variances, vectors] = at::linalg_eigh(centred.t().matmul(centred));
  const std::int64_t kept = std::min<std::int64_t>(2, vectors.size(1));
  at::Tensor directions = vectors.flip(1).narrow(1, 0, kept).contiguous();
  fix_sign(directions);
  result.plane = at::zeros({rows.size(0), 2}, at::kDouble);
  result.plane.narrow(1, 0, kept).copy_(centred.matmul(directions));
  const double total = variances.clamp_min(0).sum().item<double>();
  const auto share = [&](std::int64_t j) {
    return j < kept && total > 0 ? std::max(0.0, variances[-1 - j].item<double>()) / total : 0.0;
  };
  result.first_share = share(0);
  result.second_share = share(1);
}

}  // namespace

Representation representation(const LoadedModel& loaded) {
  const torch::NoGradGuard no_grad;
  const nn::Step evaluation{false, nullptr};
  Representation result;
  if (const at::Tensor rows = loaded.model->represent(loaded.input, evaluation); rows.defined()) {
    result.of = fmt::format("the {} numbers that the last linear layer is given", rows.size(1));
    project(result, rows.to(at::kCPU, at::kDouble));
  } else {
    const at::Tensor scores = loaded.model->forward(loaded.input, evaluation).to(at::kCPU, at::kDouble);
    result.of = "class scores: this model has no layer of its own before them";
    project(result, scores - scores.mean(1, /*keepdim=*/true));
  }
  return result;
}

}  // namespace dshn::train
