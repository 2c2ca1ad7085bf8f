#include "dshn/train/representation.hpp"

#include <fmt/format.h>
#include <torch/torch.h>

#include <optional>

#include "train/load_model.hpp"

namespace dshn::train {
namespace {

/// Parameters of the linear layer that a model's classifier ends in.
struct LastLayer {
  at::Tensor weight;  // [classes, width]
  at::Tensor bias;    // [classes], undefined for none
};

std::optional<LastLayer> last_layer(const LoadedModel& loaded) {
  LastLayer last;
  for (auto& entry : loaded.model->named_parameters()) {
    const std::string& name = entry.key();
    if (name.rfind("classifier.", 0) != 0) continue;
    if (name.ends_with(".weight") && entry.value().dim() == 2) last = {entry.value(), {}};
    if (name.ends_with(".bias")) last.bias = entry.value();
  }
  const bool found = last.weight.defined() && last.weight.size(0) == loaded.classes &&
                     (!last.bias.defined() || last.bias.numel() == loaded.classes);
  return found ? std::optional(last) : std::nullopt;
}

at::Tensor outputs(const LoadedModel& loaded) {
  return loaded.model->forward(loaded.input, {false, nullptr}).to(at::kCPU, at::kDouble);
}

/// The model with the identity for its last layer gives what that layer is given. Nothing when that layer,
/// applied to it, would not give the scores: then it was not the last thing the model does.
std::optional<at::Tensor> before_last_layer(const LoadedModel& loaded, const at::Tensor& scores) {
  const std::optional<LastLayer> last = last_layer(loaded);
  if (!last) return std::nullopt;
  const at::Tensor weight = last->weight.detach().clone().to(at::kCPU, at::kDouble);
  const at::Tensor bias = last->bias.defined() ? last->bias.detach().clone().to(at::kCPU, at::kDouble)
                                               : at::zeros({}, at::kDouble);
  last->weight.set_data(torch::eye(weight.size(1), last->weight.options().requires_grad(false)));
  if (last->bias.defined())
    last->bias.set_data(torch::zeros({weight.size(1)}, last->bias.options().requires_grad(false)));
  const at::Tensor rows = outputs(loaded);
  if (rows.sizes() != at::IntArrayRef({scores.size(0), weight.size(1)})) return std::nullopt;
  const at::Tensor again = rows.matmul(weight.t()) + bias;
  return at::allclose(again, scores, 1e-3, 1e-3) ? std::optional(rows) : std::nullopt;
}

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

Representation representation(const std::filesystem::path& run, int split, const Settings& settings,
                              const data::Dataset& dataset) {
  const torch::NoGradGuard no_grad;
  const LoadedModel loaded = load_model(run, split, settings, dataset);
  const at::Tensor scores = outputs(loaded);
  Representation result;
  if (const std::optional<at::Tensor> rows = before_last_layer(loaded, scores)) {
    result.of = fmt::format("the {} numbers that the classifier's last layer is given", rows->size(1));
    project(result, *rows);
  } else {
    result.of = "class scores: this model has no layer of its own before them";
    project(result, scores - scores.mean(1, /*keepdim=*/true));
  }
  return result;
}

}  // namespace dshn::train
