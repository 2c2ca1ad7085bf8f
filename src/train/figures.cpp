#include "dshn/train/figures.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "dshn/base/error.hpp"

namespace dshn::train {
namespace {

const std::vector<Metric> kOfClasses{{"accuracy", "accuracy"},
                                     {"macro-f1", "macro F1"},
                                     {"micro-f1", "micro F1"},
                                     {"weighted-f1", "weighted F1"}};
const std::vector<Metric> kOfNumbers{
    {"r2", "R²", false, false}, {"rmse", "RMSE", false, true}, {"mae", "MAE", false, true}};
const std::vector<Metric> kOfLabels{
    {"micro-f1", "micro F1"}, {"macro-f1", "macro F1"}, {"subset-accuracy", "subset accuracy"}};

constexpr data::TargetKind kKinds[] = {data::TargetKind::classes, data::TargetKind::numbers,
                                       data::TargetKind::labels};

}  // namespace

const std::vector<Metric>& metrics_of(data::TargetKind kind) {
  if (kind == data::TargetKind::numbers) return kOfNumbers;
  return kind == data::TargetKind::labels ? kOfLabels : kOfClasses;
}

std::vector<std::string> metric_names() {
  std::vector<std::string> names;
  for (const data::TargetKind kind : kKinds) {
    for (const Metric& metric : metrics_of(kind))
      if (std::ranges::find(names, metric.name) == names.end()) names.push_back(metric.name);
  }
  return names;
}

const Metric& find_metric(std::string_view name) {
  for (const data::TargetKind kind : kKinds) {
    const auto found = std::ranges::find(metrics_of(kind), name, &Metric::name);
    if (found != metrics_of(kind).end()) return *found;
  }
  throw UsageError(
      fmt::format("unknown metric '{}'; expected one of {}", name, fmt::join(metric_names(), ", ")));
}

std::string figure_text(const Metric& metric, double value) {
  return metric.is_share ? fmt::format("{:.2f}", 100 * value) : fmt::format("{:.4g}", value);
}

}  // namespace dshn::train
