#include "train/probe.hpp"

#include <torch/torch.h>

#include "dshn/hypergraph/transforms.hpp"

namespace dshn::train {

Probe::Probe(const LoadedModel& loaded, data::Task task, Index item)
    : model_(*loaded.model), objective_(*loaded.objective), input_(loaded.given), task_(task), item_(item) {
  const torch::NoGradGuard no_grad;
  const at::Tensor row = outputs(input_);
  predicted_ = objective_.subject(row);
  value_ = value_in(row, predicted_);
  score_ = objective_.score(row, predicted_).item<double>();
}

double Probe::value_in(const at::Tensor& outputs, std::int64_t subject) const {
  return objective_.predictions(outputs.unsqueeze(0))[0][subject].item<double>();
}

at::Tensor Probe::outputs(const models::Input& input) const {
  return model_.forward(model_.prepare(input), {false, nullptr})[item_].to(at::kCPU, at::kDouble);
}

at::Tensor Probe::score_of(const models::Input& input) const {
  return objective_.score(outputs(input), predicted_);
}

Turned Probe::ask(const models::Input& changed) const {
  const torch::NoGradGuard no_grad;
  const at::Tensor row = outputs(changed);
  Turned answer;
  answer.effect = score_ - objective_.score(row, predicted_).item<double>();
  answer.predicted = objective_.subject(row);
  answer.value = value_in(row, answer.predicted);
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
