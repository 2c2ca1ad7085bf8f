// Any of several labels for each item: binary cross entropy of each, counts by label.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/torch.h>

#include "dshn/io/table.hpp"
#include "dshn/train/label_counts.hpp"
#include "train/objectives/objectives.hpp"

namespace dshn::train {
namespace {

namespace F = torch::nn::functional;

/// A label is predicted where it is more likely than not.
constexpr double kThreshold = 0.5;

class LabelObjective : public Objective {
 public:
  using Objective::Objective;

  data::TargetKind kind() const override { return data::TargetKind::labels; }

  at::Tensor targets(const data::Dataset& dataset, const std::vector<Index>& items,
                     const at::TensorOptions& like) const override {
    return value_rows(dataset, items, like);
  }

  /// Of items that have a label against those that do not: as if there were as many. 1 for a label of none or of all.
  at::Tensor weights(const at::Tensor& targets, const at::TensorOptions& like) const override {
    const at::Tensor with = targets.to(at::kDouble).sum(0);
    const at::Tensor without = static_cast<double>(targets.size(0)) - with;
    return torch::where((with > 0) & (without > 0), without / with, torch::ones_like(with)).to(like);
  }

  at::Tensor loss(const at::Tensor& outputs, const at::Tensor& targets,
                  const at::Tensor& weights) const override {
    return steady_mean(F::binary_cross_entropy_with_logits(
        outputs, targets,
        F::BinaryCrossEntropyWithLogitsFuncOptions().pos_weight(weights).reduction(torch::kNone)));
  }

  at::Tensor predictions(const at::Tensor& outputs) const override {
    return outputs.to(at::kDouble).sigmoid();
  }

  at::Tensor decisions(const at::Tensor& predictions) const override {
    return (predictions > kThreshold).to(at::kDouble);
  }

  std::unique_ptr<Figures> figures(const data::Dataset& dataset, const std::vector<Index>& items,
                                   const at::Tensor& decisions) const override {
    auto counts = std::make_unique<LabelCounts>(width());
    const auto* const predicted = decisions.data_ptr<double>();
    for (const Index item : items) counts->add(&dataset.values[item * width()], predicted + item * width());
    return counts;
  }

  std::vector<std::string> columns(const data::Dataset& dataset) const override {
    std::vector<std::string> names;
    if (dataset.has_targets()) names.emplace_back("labels");
    names.emplace_back("predicted");
    for (Index c = 0; c < width(); ++c)
      names.push_back(io::csv_field("p_" + dataset.class_name(c), /*is_integer=*/false, ','));
    return names;
  }

  std::vector<std::string> fields(const data::Dataset& dataset, Index item,
                                  const double* prediction) const override {
    std::vector<std::string> out;
    if (dataset.has_targets())
      out.push_back(dataset.is_known(item) ? joined(dataset, &dataset.values[item * width()]) : "");
    out.push_back(joined(dataset, prediction));
    for (std::int64_t c = 0; c < width(); ++c) out.push_back(fmt::format("{:.6g}", prediction[c]));
    return out;
  }

  /// log(p / (1 - p)) of a label is its output.
  at::Tensor score(const at::Tensor& outputs, std::int64_t label) const override { return outputs[label]; }

 private:
  /// The words of the labels whose value is above 1/2; a separator alone where there are none.
  std::string joined(const data::Dataset& dataset, const double* values) const {
    std::vector<std::string> words;
    for (Index c = 0; c < width(); ++c)
      if (values[c] > kThreshold) words.push_back(dataset.class_name(c));
    const std::string separator(1, data::kLabelSeparator);
    const std::string text = words.empty() ? separator : fmt::format("{}", fmt::join(words, separator));
    return io::csv_field(text, io::looks_like_integer(text), ',');
  }
};

}  // namespace

std::shared_ptr<const Objective> label_objective(std::int64_t width) {
  return std::make_shared<LabelObjective>(width);
}

}  // namespace dshn::train
