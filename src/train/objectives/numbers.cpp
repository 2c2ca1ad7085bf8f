// Numbers of each item: mean squared error of standardised numbers, errors in the units of the data.

#include <fmt/format.h>
#include <torch/torch.h>

#include "dshn/base/error.hpp"
#include "dshn/io/table.hpp"
#include "dshn/train/number_errors.hpp"
#include "train/objectives/objectives.hpp"

namespace dshn::train {
namespace {

/// A tensor of the scale that lies where the outputs do, made when the first of them come: a recorded epoch must not
/// copy from the host.
class ScaleTensor {
 public:
  explicit ScaleTensor(const std::vector<double>& values) : host_(torch::tensor(values, torch::kDouble)) {}
  const at::Tensor& on(const at::Device& device) const {
    if (!there_.defined() || there_.device() != device) there_ = host_.to(device);
    return there_;
  }

 private:
  at::Tensor host_;
  mutable at::Tensor there_;
};

class NumberObjective : public Objective {
 public:
  NumberObjective(std::int64_t width, const TargetScale& scale)
      : Objective(width), centre_(scale.centre), deviation_(scale.deviation) {}

  data::TargetKind kind() const override { return data::TargetKind::numbers; }

  /// Standardised in float64, so that no digit is lost far from 0.
  at::Tensor targets(const data::Dataset& dataset, const std::vector<Index>& items,
                     const at::TensorOptions& like) const override {
    centre_.on(like.device());
    deviation_.on(like.device());
    const at::Tensor rows = value_rows(dataset, items, at::TensorOptions(at::kDouble).device(like.device()));
    return ((rows - centre_.on(like.device())) / deviation_.on(like.device())).to(like);
  }

  at::Tensor weights(const at::Tensor& /*targets*/, const at::TensorOptions& /*like*/) const override {
    throw UsageError("class_weights: numbers have no classes to weigh");
  }

  at::Tensor loss(const at::Tensor& outputs, const at::Tensor& targets,
                  const at::Tensor& /*weights*/) const override {
    return steady_mean((outputs - targets).square());
  }

  at::Tensor predictions(const at::Tensor& outputs) const override {
    return outputs.to(at::kDouble) * deviation_.on(outputs.device()) + centre_.on(outputs.device());
  }

  at::Tensor decisions(const at::Tensor& predictions) const override { return predictions; }

  std::unique_ptr<Figures> figures(const data::Dataset& dataset, const std::vector<Index>& items,
                                   const at::Tensor& decisions) const override {
    auto errors = std::make_unique<NumberErrors>(width());
    const auto* const predicted = decisions.data_ptr<double>();
    for (const Index item : items) errors->add(&dataset.values[item * width()], predicted + item * width());
    return errors;
  }

  /// true, predicted; of several numbers true_NAME and so on.
  std::vector<std::string> columns(const data::Dataset& dataset) const override {
    std::vector<std::string> names;
    const auto add = [&](const std::string& word) {
      for (Index c = 0; c < width(); ++c)
        names.push_back(width() == 1
                            ? word
                            : io::csv_field(word + "_" + dataset.class_name(c), /*is_integer=*/false, ','));
    };
    if (dataset.has_targets()) add("true");
    add("predicted");
    return names;
  }

  std::vector<std::string> fields(const data::Dataset& dataset, Index item,
                                  const double* prediction) const override {
    std::vector<std::string> out;
    for (Index c = 0; c < width() && dataset.has_targets(); ++c)
      out.push_back(dataset.is_known(item) ? fmt::format("{}", dataset.value(item, c)) : "");
    for (Index c = 0; c < width(); ++c) out.push_back(fmt::format("{:.9g}", prediction[c]));
    return out;
  }

  std::int64_t subject(const at::Tensor& /*outputs*/) const override {
    if (width() == 1) return 0;
    throw UsageError(fmt::format(
        "the model predicts {} numbers of an item; only models of one can be explained", width()));
  }

  at::Tensor score(const at::Tensor& outputs, std::int64_t c) const override {
    return predictions(outputs)[c];
  }

 private:
  ScaleTensor centre_;
  ScaleTensor deviation_;
};

}  // namespace

std::shared_ptr<const Objective> number_objective(std::int64_t width, const TargetScale& scale) {
  const auto columns = static_cast<std::size_t>(width);
  if (scale.centre.size() != columns || scale.deviation.size() != columns)
    throw UsageError(
        fmt::format("the scale of {} columns of numbers, but there are {}", scale.centre.size(), width));
  return std::make_shared<NumberObjective>(width, scale);
}

}  // namespace dshn::train
