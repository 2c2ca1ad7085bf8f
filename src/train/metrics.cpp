#include "dshn/train/metrics.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "dshn/base/error.hpp"

namespace dshn::train {
namespace {

double share(double part, double whole) {
  return whole > 0 ? part / whole : 0;
}

}  // namespace

std::int64_t Confusion::support(std::int64_t truth) const {
  std::int64_t sum = 0;
  for (std::int64_t p = 0; p < classes_; ++p) sum += count(truth, p);
  return sum;
}

std::int64_t Confusion::predicted(std::int64_t c) const {
  std::int64_t sum = 0;
  for (std::int64_t t = 0; t < classes_; ++t) sum += count(t, c);
  return sum;
}

std::int64_t Confusion::items() const {
  return std::accumulate(counts_.begin(), counts_.end(), std::int64_t{0});
}

double Confusion::accuracy() const {
  std::int64_t right = 0;
  for (std::int64_t c = 0; c < classes_; ++c) right += count(c, c);
  return share(static_cast<double>(right), static_cast<double>(items()));
}

double Confusion::precision(std::int64_t c) const {
  return share(static_cast<double>(count(c, c)), static_cast<double>(predicted(c)));
}

double Confusion::recall(std::int64_t c) const {
  return share(static_cast<double>(count(c, c)), static_cast<double>(support(c)));
}

double Confusion::f1(std::int64_t c) const {
  return share(2 * static_cast<double>(count(c, c)), static_cast<double>(predicted(c) + support(c)));
}

double Confusion::macro_f1() const {
  double sum = 0;
  double seen = 0;
  for (std::int64_t c = 0; c < classes_; ++c) {
    if (predicted(c) + support(c) == 0) continue;
    sum += f1(c);
    ++seen;
  }
  return share(sum, seen);
}

double Confusion::weighted_f1() const {
  double sum = 0;
  for (std::int64_t c = 0; c < classes_; ++c) sum += f1(c) * static_cast<double>(support(c));
  return share(sum, static_cast<double>(items()));
}

double Confusion::metric(const std::string& name) const {
  if (name == "accuracy" || name == "micro-f1") return accuracy();
  if (name == "macro-f1") return macro_f1();
  if (name == "weighted-f1") return weighted_f1();
  throw UsageError("unknown metric '" + name + "'; expected accuracy, macro-f1, micro-f1 or weighted-f1");
}

nlohmann::ordered_json Confusion::to_json() const {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (std::int64_t t = 0; t < classes_; ++t) {
    nlohmann::ordered_json row = nlohmann::ordered_json::array();
    for (std::int64_t p = 0; p < classes_; ++p) row.push_back(count(t, p));
    rows.push_back(row);
    list.push_back({{"class", t},
                    {"support", support(t)},
                    {"precision", precision(t)},
                    {"recall", recall(t)},
                    {"f1", f1(t)}});
  }
  return {{"accuracy", accuracy()},       {"macro_f1", macro_f1()}, {"micro_f1", micro_f1()},
          {"weighted_f1", weighted_f1()}, {"confusion", rows},      {"classes", list}};
}

std::vector<double> Confusion::counts() const {
  return {counts_.begin(), counts_.end()};
}

void Confusion::add_counts(const std::vector<double>& counts) {
  for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += static_cast<std::int64_t>(counts[i]);
}

MeanStd mean_std(const std::vector<double>& values) {
  if (values.empty()) return {};
  const auto n = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {mean, std::sqrt(squares / n)};
}

}  // namespace dshn::train
