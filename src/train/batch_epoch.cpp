#include "train/batch_epoch.hpp"

#include <torch/torch.h>

namespace dshn::train {

BatchLoss differentiate(models::Model& model, const Batch& batch, const Experiment& experiment,
                        const Objective& objective, const at::Tensor& weights, nn::MaskStream& masks) {
  const at::Tensor targets = objective.targets(*experiment.dataset, batch.items,
                                               at::TensorOptions(experiment.input.x.scalar_type()));
  const models::Input input = model.prepare(batch.input);
  masks.number_rows(input.incidence);
  const at::Tensor outputs = model.forward_items(input, {true, &masks}, batch.places);
  const at::Tensor loss = objective.loss(outputs, targets, weights);
  loss.backward();
  const double weight = objective.weight_of(targets, weights);
  return {weight * loss.item<double>(), weight};
}

BatchEpoch::BatchEpoch(std::shared_ptr<models::Model> model, const Experiment& experiment, int split,
                       const BatchOptions& options, EpochTargets targets, FlatAdam& adam,
                       nn::MaskStream masks)
    : Epoch(at::kCPU, /*record=*/false),
      model_(std::move(model)),
      experiment_(experiment),
      exact_(options.exact_evaluation),
      targets_(std::move(targets)),
      adam_(adam),
      masks_(std::move(masks)),
      batches_(experiment, split, options) {}

void BatchEpoch::start(int epoch) {
  numbers_.loss = train(epoch);
  const torch::NoGradGuard no_grad;
  model_->eval();
  logits_ = evaluated();
  numbers_.val_loss =
      targets_.objective->loss(logits_.index_select(0, targets_.val_items), targets_.val_targets, {})
          .to(at::kDouble)
          .item<double>();
  numbers_.decisions = targets_.objective->decisions_of_outputs(logits_).reshape({-1});
}

double BatchEpoch::train(int epoch) {
  model_->train();
  BatchLoss all;
  std::int64_t step = (epoch - 1) * batches_.count();
  batches_.for_training(epoch, [&](const Batch& batch) {
    masks_.start(static_cast<std::uint64_t>(++step));
    const BatchLoss one =
        differentiate(*model_, batch, experiment_, *targets_.objective, targets_.weights, masks_);
    adam_.take_gradients();
    adam_.step();
    all.sum += one.sum;
    all.weight += one.weight;
  });
  return all.sum / all.weight;
}

at::Tensor BatchEpoch::evaluated() const {
  const nn::Step evaluation{false, nullptr};
  if (exact_) return model_->forward(experiment_.prepared(), evaluation);
  at::Tensor logits = torch::empty({experiment_.dataset->item_count(), targets_.objective->width()},
                                   experiment_.input.x.options());
  batches_.for_evaluation([&](const Batch& batch) {
    const torch::NoGradGuard no_grad;
    const at::Tensor rows = model_->forward_items(model_->prepare(batch.input), evaluation, batch.places);
    const std::vector<std::int64_t> items(batch.items.begin(), batch.items.end());
    logits.index_copy_(0, torch::tensor(items, torch::kLong), rows);
  });
  return logits;
}

}  // namespace dshn::train
