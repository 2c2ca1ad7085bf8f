#include "train/probe.hpp"

#include <torch/torch.h>

#include "dshn/hypergraph/transforms.hpp"

namespace dshn::train {
namespace {

/// log(p / (1 - p)) of class c, from logits: no p is ever rounded to 1.
at::Tensor log_odds_from(const at::Tensor& logits, std::int64_t c) {
  const at::Tensor others =
      at::cat({logits.narrow(0, 0, c), logits.narrow(0, c + 1, logits.size(0) - c - 1)});
  return logits[c] - others.logsumexp(0);
}

}  // namespace

Probe::Probe(const LoadedModel& loaded, data::Task task, Index item)
    : model_(*loaded.model), input_(loaded.given), task_(task), item_(item) {
  const torch::NoGradGuard no_grad;
  const at::Tensor row = logits(input_);
  predicted_ = row.argmax(0).item<std::int64_t>();
  probability_ = row.softmax(0)[predicted_].item<double>();
  log_odds_ = log_odds_from(row, predicted_).item<double>();
}

at::Tensor Probe::logits(const models::Input& input) const {
  return model_.forward(model_.prepare(input), {false, nullptr})[item_].to(at::kCPU, at::kDouble);
}

at::Tensor Probe::log_odds_of(const models::Input& input) const {
  return log_odds_from(logits(input), predicted_);
}

Turned Probe::ask(const models::Input& changed) const {
  const torch::NoGradGuard no_grad;
  const at::Tensor row = logits(changed);
  Turned answer;
  answer.effect = log_odds_ - log_odds_from(row, predicted_).item<double>();
  answer.predicted = row.argmax(0).item<std::int64_t>();
  answer.probability = row.softmax(0)[answer.predicted].item<double>();
  return answer;
}

Turned Probe::ask(const Hypergraph& changed) const {
  return ask(models::Input(changed, input_.x, input_.edge_x).to(input_.x.device(), input_.x.scalar_type()));
}

double Probe::effect_without(std::span<const Offset> incidences) const {
  return ask(without_incidences(hypergraph(), incidences)).effect;
}

Turned Probe::turned(std::span<const Offset> incidences) const {
  return ask(turned_at(hypergraph(), incidences));
}

}  // namespace dshn::train
