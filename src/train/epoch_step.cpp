#include "train/epoch_step.hpp"

#include <torch/torch.h>

namespace dshn::train {

EpochStep::EpochStep(std::shared_ptr<models::Model> model, models::Input input, EpochTargets targets,
                     FlatAdam& adam, nn::MaskStream masks, bool record)
    : Epoch(input.x.device(), record),
      model_(std::move(model)),
      input_(std::move(input)),
      targets_(std::move(targets)),
      adam_(adam),
      masks_(std::move(masks)),
      loss_(torch::zeros({1}, input_.x.options().dtype(at::kDouble))),
      epoch_loss_(torch::zeros_like(loss_)) {
  masks_.number_rows(input_.incidence);
}

void EpochStep::start(int epoch) {
  const auto draw_masks = [&](int of) { queue_.once([&] { masks_.start(static_cast<std::uint64_t>(of)); }); };
  if (!ahead_) {
    draw_masks(epoch);
    queue_.once([&] { differentiate(); });
  }
  ahead_ = queue_.on_gpu();
  if (ahead_) draw_masks(epoch + 1);
  queue_.repeat([&] { step_and_evaluate(); });
  queue_.once([&] {
    if (!on_host_.defined()) {
      const at::TensorOptions options = numbers_.options().device(at::kCPU);
      on_host_ = torch::empty(numbers_.sizes(), options.pinned_memory(numbers_.is_cuda()));
    }
    on_host_.copy_(numbers_, /*non_blocking=*/true);
  });
}

EpochNumbers EpochStep::finish() {
  queue_.wait();
  const auto* losses = on_host_.data_ptr<double>();
  return {losses[0], losses[1], on_host_.slice(0, 2).clone()};
}

at::Tensor EpochStep::loss(const at::Tensor& outputs, const at::Tensor& targets, const at::Tensor& weights,
                           double share) const {
  // A rank without items takes part in all messages.
  if (share == 0) return outputs.sum() * 0;
  const at::Tensor mean = targets_.objective->loss(outputs, targets, weights);
  return share == 1 ? mean : mean * share;
}

void EpochStep::differentiate() {
  model_->train();
  const at::Tensor trained = model_->forward_items(input_, {true, &masks_}, targets_.train_items);
  const at::Tensor of_training =
      loss(trained, targets_.train_targets, targets_.weights, targets_.train_share);
  of_training.backward();
  adam_.take_gradients();
  if (targets_.ranks != nullptr) targets_.ranks->sum(adam_.gradients());
  loss_.copy_(of_training.detach());
}

void EpochStep::step_and_evaluate() {
  epoch_loss_.copy_(loss_);
  adam_.step();
  if (!ahead_) return evaluate();
  queue_.side_by_side([&] { evaluate(); }, [&] { differentiate(); });
}

void EpochStep::evaluate() {
  const torch::NoGradGuard no_grad;
  model_->eval();
  logits_ = model_->forward(input_, {false, nullptr});
  const at::Tensor val_loss =
      loss(logits_.index_select(0, targets_.val_items), targets_.val_targets, {}, targets_.val_share);
  numbers_ = at::cat({epoch_loss_, val_loss.to(at::kDouble).view({1}),
                      targets_.objective->decisions_of_outputs(logits_).reshape({-1})});
}

}  // namespace dshn::train
