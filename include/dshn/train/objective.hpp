#pragma once

#include <ATen/core/Tensor.h>

#include <memory>
#include <string>
#include <vector>

#include "dshn/data/dataset.hpp"
#include "dshn/train/figures.hpp"
#include "dshn/train/target_scale.hpp"

namespace dshn::train {

/// What a model is to say of items, and how that is judged: one for each kind of target. A model has `width` outputs
/// for each item. What is computed in an epoch neither waits for the device nor depends on the number of threads.
class Objective {
 public:
  explicit Objective(std::int64_t width) : width_(width) {}
  virtual ~Objective() = default;

  virtual data::TargetKind kind() const = 0;
  std::int64_t width() const { return width_; }

  /// What the loss wants to know of these items, which have targets. Like: the device and type of the outputs.
  virtual at::Tensor targets(const data::Dataset& dataset, const std::vector<Index>& items,
                             const at::TensorOptions& like) const = 0;
  /// Weights of the training loss that make up for rare classes or labels, from the training targets. UsageError
  /// where that means nothing.
  virtual at::Tensor weights(const at::Tensor& targets, const at::TensorOptions& like) const = 0;
  /// The mean over the items; weights may be undefined.
  virtual at::Tensor loss(const at::Tensor& outputs, const at::Tensor& targets,
                          const at::Tensor& weights) const = 0;
  /// What that mean divides by: the number of items, or the sum of their weights.
  virtual double weight_of(const at::Tensor& targets, const at::Tensor& /*weights*/) const {
    return static_cast<double>(targets.size(0));
  }

  /// What outputs mean, [items, width] in float64: probabilities of classes or labels, or numbers in the units of
  /// the data.
  virtual at::Tensor predictions(const at::Tensor& outputs) const = 0;
  /// What is decided by predictions, float64 on their device: the class, which labels (1 or 0), or the numbers.
  virtual at::Tensor decisions(const at::Tensor& predictions) const = 0;
  /// The same of outputs.
  virtual at::Tensor decisions_of_outputs(const at::Tensor& outputs) const {
    return decisions(predictions(outputs));
  }
  /// Decisions on the CPU against what is known of some items. InvalidInput for a class that the model does not know.
  virtual std::unique_ptr<Figures> figures(const data::Dataset& dataset, const std::vector<Index>& items,
                                           const at::Tensor& decisions) const = 0;

  /// The columns of predictions.csv behind the id and the part, as CSV, and an item's fields in them. Data without
  /// targets has no column for the truth.
  virtual std::vector<std::string> columns(const data::Dataset& dataset) const = 0;
  virtual std::vector<std::string> fields(const data::Dataset& dataset, Index item,
                                          const double* prediction) const = 0;

  /// What an explanation of one item is about, from its outputs in float64: the class or label that is most likely;
  /// of numbers the only one. UsageError where there are several.
  virtual std::int64_t subject(const at::Tensor& outputs) const;
  /// What its effects are measured on: log-odds, or the number. Has a gradient where the outputs have one.
  virtual at::Tensor score(const at::Tensor& outputs, std::int64_t subject) const = 0;

 private:
  std::int64_t width_;
};

/// `scale` is that of numbers and empty for others.
std::shared_ptr<const Objective> make_objective(data::TargetKind kind, std::int64_t width,
                                                const TargetScale& scale = {});

/// Mean and deviation of the numbers of some items; a column that is the same everywhere is only moved. Empty for
/// targets of another kind.
TargetScale target_scale(const data::Dataset& dataset, const std::vector<Index>& items);

}  // namespace dshn::train
