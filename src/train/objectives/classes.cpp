// One class for each item: cross entropy, counts of true and predicted classes.

#include <fmt/format.h>
#include <torch/torch.h>

#include <algorithm>

#include "dshn/base/error.hpp"
#include "dshn/io/table.hpp"
#include "dshn/train/metrics.hpp"
#include "train/objectives/objectives.hpp"

namespace dshn::train {
namespace {

namespace F = torch::nn::functional;

/// A word is quoted where it must be, a number stays a number; nothing for a class that is not known.
std::string class_field(const data::Dataset& dataset, Index c) {
  if (c < 0) return "";
  const std::string word = dataset.class_name(c);
  return io::csv_field(word, io::looks_like_integer(word), ',');
}

class ClassObjective : public Objective {
 public:
  using Objective::Objective;

  data::TargetKind kind() const override { return data::TargetKind::classes; }

  at::Tensor targets(const data::Dataset& dataset, const std::vector<Index>& items,
                     const at::TensorOptions& like) const override {
    std::vector<std::int64_t> classes;
    for (const Index item : items) classes.push_back(dataset.labels[item]);
    return torch::tensor(classes, torch::kLong).to(like.device());
  }

  /// In proportion to 1 / the share of the labels; their sum is the number of classes. A class without a label has
  /// none.
  at::Tensor weights(const at::Tensor& targets, const at::TensorOptions& like) const override {
    const at::Tensor counts = torch::bincount(targets, {}, width()).to(at::kDouble);
    const at::Tensor inverse = torch::where(counts > 0, counts.reciprocal(), torch::zeros_like(counts));
    return (inverse * static_cast<double>(width()) / inverse.sum()).to(like);
  }

  at::Tensor loss(const at::Tensor& outputs, const at::Tensor& targets,
                  const at::Tensor& weights) const override {
    return F::cross_entropy(outputs, targets, F::CrossEntropyFuncOptions().weight(weights));
  }

  double weight_of(const at::Tensor& targets, const at::Tensor& weights) const override {
    if (!weights.defined()) return Objective::weight_of(targets, weights);
    return weights.index_select(0, targets).sum(at::kDouble).item<double>();
  }

  at::Tensor predictions(const at::Tensor& outputs) const override {
    return outputs.to(at::kDouble).softmax(1);
  }

  at::Tensor decisions(const at::Tensor& predictions) const override {
    return predictions.argmax(1).to(at::kDouble);
  }

  /// The class of the largest output is that of the largest probability.
  at::Tensor decisions_of_outputs(const at::Tensor& outputs) const override { return decisions(outputs); }

  std::unique_ptr<Figures> figures(const data::Dataset& dataset, const std::vector<Index>& items,
                                   const at::Tensor& decisions) const override {
    auto counts = std::make_unique<Confusion>(width());
    const auto* const predicted = decisions.data_ptr<double>();
    for (const Index item : items) {
      const Index label = dataset.labels[item];
      if (label >= width()) {
        throw InvalidInput(fmt::format("{}: there is a class {}, but the model knows {} classes",
                                       dataset.name, dataset.class_name(label), width()));
      }
      counts->add(label, static_cast<std::int64_t>(predicted[item]));
    }
    return counts;
  }

  std::vector<std::string> columns(const data::Dataset& dataset) const override {
    std::vector<std::string> names;
    if (dataset.has_targets()) names.emplace_back("label");
    names.emplace_back("predicted");
    for (Index c = 0; c < width(); ++c) {
      const char* const prefix = dataset.code.class_names.empty() ? "p" : "p_";
      names.push_back(io::csv_field(prefix + dataset.class_name(c), /*is_integer=*/false, ','));
    }
    return names;
  }

  std::vector<std::string> fields(const data::Dataset& dataset, Index item,
                                  const double* prediction) const override {
    std::vector<std::string> out;
    if (dataset.has_targets()) out.push_back(class_field(dataset, dataset.labels[item]));
    const double* const best = std::max_element(prediction, prediction + width());
    out.push_back(class_field(dataset, static_cast<Index>(best - prediction)));
    for (std::int64_t c = 0; c < width(); ++c) out.push_back(fmt::format("{:.6g}", prediction[c]));
    return out;
  }

  /// log(p / (1 - p)) from outputs: no p is ever rounded to 1.
  at::Tensor score(const at::Tensor& outputs, std::int64_t c) const override {
    const at::Tensor others =
        at::cat({outputs.narrow(0, 0, c), outputs.narrow(0, c + 1, outputs.size(0) - c - 1)});
    return outputs[c] - others.logsumexp(0);
  }
};

}  // namespace

std::shared_ptr<const Objective> class_objective(std::int64_t width) {
  return std::make_shared<ClassObjective>(width);
}

}  // namespace dshn::train
