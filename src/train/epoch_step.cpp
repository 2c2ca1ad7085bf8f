#include "train/epoch_step.hpp"

#include <torch/torch.h>

namespace dshn::train {

EpochStep::EpochStep(std::shared_ptr<models::Model> model, models::Input input, EpochTargets targets,
                     FlatAdam& adam, nn::MaskStream masks, bool record)
    : model_(std::move(model)),
      input_(std::move(input)),
      targets_(std::move(targets)),
      adam_(adam),
      masks_(std::move(masks)),
      queue_(input_.x.device(), record),
      loss_(torch::zeros({1}, input_.x.options().dtype(at::kDouble))),
      epoch_loss_(torch::zeros_like(loss_)) {}

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

void EpochStep::differentiate() {
  model_->train();
  const at::Tensor trained = model_->forward(input_, {true, &masks_});
  const at::Tensor loss = targets_.objective->loss(trained.index_select(0, targets_.train_items),
                                                   targets_.train_targets, targets_.weights);
  loss.backward();
  adam_.take_gradients();
  loss_.copy_(loss.detach());
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
  const Objective& objective = *targets_.objective;
  const at::Tensor val_loss =
      objective.loss(logits_.index_select(0, targets_.val_items), targets_.val_targets, {});
  numbers_ = at::cat({epoch_loss_, val_loss.to(at::kDouble).view({1}),
                      objective.decisions_of_outputs(logits_).reshape({-1})});
}

}  // namespace dshn::train
