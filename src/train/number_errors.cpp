#include "dshn/train/number_errors.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "dshn/base/error.hpp"

namespace dshn::train {
namespace {

/// The sum over places of f(truth, predicted).
template <typename F>
double sum_over(const std::vector<double>& truth, const std::vector<double>& predicted, const F& f) {
  return std::inner_product(truth.begin(), truth.end(), predicted.begin(), 0.0, std::plus<>(), f);
}

double mean_of(double sum, std::size_t count) {
  return count > 0 ? sum / static_cast<double>(count) : 0;
}

double square(double value) {
  return value * value;
}

}  // namespace

void NumberErrors::add(const double* truth, const double* predicted) {
  for (std::size_t c = 0; c < truth_.size(); ++c) {
    truth_[c].push_back(truth[c]);
    predicted_[c].push_back(predicted[c]);
  }
}

std::vector<double> NumberErrors::counts() const {
  std::vector<double> all;
  for (std::size_t c = 0; c < truth_.size(); ++c) {
    all.insert(all.end(), truth_[c].begin(), truth_[c].end());
    all.insert(all.end(), predicted_[c].begin(), predicted_[c].end());
  }
  return all;
}

void NumberErrors::add_counts(const std::vector<double>& counts) {
  const auto items = static_cast<std::ptrdiff_t>(counts.size() / (2 * truth_.size()));
  auto next = counts.begin();
  for (std::size_t c = 0; c < truth_.size(); ++c) {
    for (std::vector<double>* to : {&truth_[c], &predicted_[c]}) {
      to->insert(to->end(), next, next + items);
      next += items;
    }
  }
}

double NumberErrors::rmse(std::int64_t column) const {
  const double sum =
      sum_over(truth_[column], predicted_[column], [](double t, double p) { return square(t - p); });
  return std::sqrt(mean_of(sum, truth_[column].size()));
}

double NumberErrors::mae(std::int64_t column) const {
  const double sum =
      sum_over(truth_[column], predicted_[column], [](double t, double p) { return std::abs(t - p); });
  return mean_of(sum, truth_[column].size());
}

double NumberErrors::r2(std::int64_t column) const {
  const std::vector<double>& truth = truth_[column];
  if (truth.empty()) return 0;
  const double mean = mean_of(std::accumulate(truth.begin(), truth.end(), 0.0), truth.size());
  double variance = 0;
  for (const double value : truth) variance += square(value - mean);
  const double error = sum_over(truth, predicted_[column], [](double t, double p) { return square(t - p); });
  if (variance == 0) return error == 0 ? 1 : 0;
  return 1 - error / variance;
}

double NumberErrors::metric(const std::string& name) const {
  double sum = 0;
  for (std::int64_t c = 0; c < columns(); ++c) {
    if (name == "r2")
      sum += r2(c);
    else if (name == "mae")
      sum += mae(c);
    else if (name == "rmse")
      sum += square(rmse(c));
    else
      throw UsageError("unknown metric '" + name + "' of numbers; expected r2, rmse or mae");
  }
  const double mean = sum / static_cast<double>(columns());
  return name == "rmse" ? std::sqrt(mean) : mean;
}

nlohmann::ordered_json NumberErrors::to_json() const {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (std::int64_t c = 0; c < columns(); ++c)
    list.push_back({{"column", c}, {"r2", r2(c)}, {"rmse", rmse(c)}, {"mae", mae(c)}});
  return {{"items", items()},
          {"r2", metric("r2")},
          {"rmse", metric("rmse")},
          {"mae", metric("mae")},
          {"columns", list}};
}

}  // namespace dshn::train
