#include "dshn/train/split_run.hpp"

#include <fmt/format.h>
#include <torch/torch.h>

#include <chrono>
#include <cmath>
#include <limits>

#include "dshn/hypergraph/error.hpp"
#include "dshn/io/atomic_file.hpp"
#include "train/checkpoint.hpp"
#include "train/flat_adam.hpp"
#include "train/rules.hpp"

namespace dshn::train {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

at::Tensor index_tensor(const std::vector<Index>& items, const at::Device& device) {
  return torch::tensor(std::vector<std::int64_t>(items.begin(), items.end()), torch::kLong).to(device);
}

/// One part of a split, on the device for the losses and here for the counting.
struct Part {
  std::vector<Index> members;
  std::vector<Index> truth;
  at::Tensor items;
  at::Tensor labels;

  Part(const std::vector<Index>& given, const std::vector<Index>& all_labels, const at::Device& device)
      : members(given), items(index_tensor(given, device)) {
    for (const Index item : given) truth.push_back(all_labels[item]);
    labels = index_tensor(truth, device);
  }

  /// predicted: the class of every item, on the CPU.
  Confusion confusion(const at::Tensor& predicted, std::int64_t classes) const {
    const auto* of_item = predicted.data_ptr<std::int64_t>();
    Confusion result(classes);
    for (std::size_t i = 0; i < members.size(); ++i) result.add(truth[i], of_item[members[i]]);
    return result;
  }
};

/// Training of one split: the loop, and what of it a checkpoint must know.
class SplitTraining {
 public:
  SplitTraining(const Experiment& experiment, int split)
      : experiment_(experiment),
        split_(split),
        classes_(experiment.dataset.class_count),
        train_(experiment.splits[split].train, experiment.dataset.labels, experiment.device),
        val_(experiment.splits[split].val, experiment.dataset.labels, experiment.device),
        test_(experiment.splits[split].test, experiment.dataset.labels, experiment.device),
        model_(experiment.new_model(split)),
        input_(model_->prepare(experiment.input)),
        adam_(*model_, experiment.training.real("lr"), experiment.training.real("weight_decay")),
        masks_(experiment.settings.seed * 7919 + static_cast<std::uint64_t>(split)) {
    if (experiment.training.flag("class_weights")) class_weights_ = inverse_frequencies();
  }

  SplitResult run(const std::filesystem::path& folder, const SplitHooks& hooks) {
    const auto epochs = static_cast<int>(experiment_.training.integer("epochs"));
    const auto patience = static_cast<int>(experiment_.training.integer("patience"));
    Clock::time_point last_checkpoint = Clock::now();
    while (!state_.done) {
      const Clock::time_point start = Clock::now();
      const EpochRecord record = epoch();
      state_.seconds += seconds_since(start);
      state_.records.push_back(record);
      if (hooks.on_epoch) hooks.on_epoch(record);
      state_.done = state_.epoch >= epochs || state_.epoch - state_.best.best_epoch >= patience;
      const bool stop = hooks.should_stop && hooks.should_stop();
      if (stop || state_.done || seconds_since(last_checkpoint) > hooks.checkpoint_seconds) {
        save(folder);
        last_checkpoint = Clock::now();
      }
      if (stop && !state_.done)
        throw Interrupted(fmt::format("stopped in split {} after epoch {}", split_, state_.epoch));
    }
    return result();
  }

  void resume(const std::filesystem::path& folder) {
    if (load_checkpoint(folder, description(), adam_, state_)) best_ = state_.best_weights;
  }

 private:
  EpochRecord epoch() {
    ++state_.epoch;
    masks_.start(static_cast<std::uint64_t>(state_.epoch));
    model_->train();
    adam_.zero_grad();
    const at::Tensor logits = model_->forward(input_, {true, &masks_});
    const at::Tensor loss = torch::nn::functional::cross_entropy(
        logits.index_select(0, train_.items), train_.labels,
        torch::nn::functional::CrossEntropyFuncOptions().weight(class_weights_));
    loss.backward();
    adam_.step();
    return evaluate(loss.detach());
  }

  EpochRecord evaluate(const at::Tensor& loss) {
    const torch::NoGradGuard no_grad;
    model_->eval();
    const at::Tensor logits = model_->forward(input_, {false, nullptr});
    const at::Tensor val_loss =
        torch::nn::functional::cross_entropy(logits.index_select(0, val_.items), val_.labels);
    // All that an epoch wants to know, in one copy: each would wait for the device.
    const at::Tensor numbers =
        at::cat({at::stack({loss, val_loss}).to(at::kDouble), logits.argmax(1).to(at::kDouble)}).to(at::kCPU);
    const auto* losses = numbers.data_ptr<double>();
    if (!std::isfinite(losses[0])) report_divergence(losses[0]);
    const at::Tensor predicted = numbers.slice(0, 2).to(at::kLong);
    const std::string& metric = experiment_.metric;
    EpochRecord record{split_,
                       state_.epoch,
                       losses[0],
                       train_.confusion(predicted, classes_).metric(metric),
                       val_.confusion(predicted, classes_).metric(metric),
                       losses[1]};
    const SplitResult& best = state_.best;
    const bool better = best.best_epoch == 0 || record.val > best.val ||
                        (record.val == best.val && record.val_loss < best.val_loss);
    if (better) {
      state_.best.best_epoch = state_.epoch;
      state_.best.train = record.train;
      state_.best.val = record.val;
      state_.best.val_loss = record.val_loss;
      state_.best.test_confusion = test_.confusion(predicted, classes_);
      state_.best.probabilities = logits.to(at::kDouble).softmax(1);
      best_ = weights_of(*model_);
    }
    return record;
  }

  SplitResult result() const {
    SplitResult result = state_.best;
    result.split = split_;
    result.epochs = state_.epoch;
    result.probabilities = result.probabilities.to(at::kCPU);
    result.test_confusion = test_.confusion(result.probabilities.argmax(1), classes_);
    result.test = result.test_confusion.metric(experiment_.metric);
    result.epoch_ms = 1000 * state_.seconds / state_.epoch;
    return result;
  }

  void save(const std::filesystem::path& folder) {
    state_.best_weights = best_;
    save_checkpoint(folder, description(), adam_, state_);
  }

  std::string description() const { return split_description(experiment_, split_); }

  at::Tensor inverse_frequencies() const {
    const at::Tensor counts =
        torch::bincount(train_.labels, {}, classes_).to(experiment_.input.x.scalar_type());
    const at::Tensor weights = torch::where(counts > 0, counts.reciprocal(), torch::zeros_like(counts));
    return weights * static_cast<double>(classes_) / weights.sum();
  }

  [[noreturn]] void report_divergence(double loss_value) const {
    std::string cause = "the loss itself";
    for (const auto& parameter : model_->named_parameters()) {
      if (parameter.value().isfinite().all().item<bool>()) continue;
      cause = "parameter " + parameter.key();
      break;
    }
    throw Failure(
        fmt::format("split {}, epoch {}: training diverged, the loss is {} (first seen in {}); lower lr (now "
                    "{}) or set layer_norm=true",
                    split_, state_.epoch, loss_value, cause, experiment_.training.text("lr")));
  }

  const Experiment& experiment_;
  int split_;
  std::int64_t classes_;
  Part train_;
  Part val_;
  Part test_;
  std::shared_ptr<models::Model> model_;
  models::Input input_;
  FlatAdam adam_;
  nn::MaskStream masks_;
  at::Tensor class_weights_;
  SplitState state_;
  std::map<std::string, at::Tensor> best_;
};

}  // namespace

SplitResult run_split(const Experiment& experiment, int split, const std::filesystem::path& folder,
                      const SplitHooks& hooks) {
  std::filesystem::create_directories(folder);
  if (models::find_model(experiment.settings.model).is_rule) return run_rule(experiment, split, folder);
  SplitTraining training(experiment, split);
  training.resume(folder);
  return training.run(folder, hooks);
}

}  // namespace dshn::train
