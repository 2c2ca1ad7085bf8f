#pragma once

#include <vector>

#include "dshn/train/figures.hpp"

namespace dshn::train {

/// How far predicted numbers are from the true ones.
class NumberErrors : public Figures {
 public:
  explicit NumberErrors(std::int64_t columns) : truth_(columns), predicted_(columns) {}
  /// One item: a number in each column.
  void add(const double* truth, const double* predicted);

  std::int64_t columns() const { return static_cast<std::int64_t>(truth_.size()); }
  std::int64_t items() const override { return static_cast<std::int64_t>(truth_[0].size()); }

  /// Of one column: the root of the mean squared error, the mean absolute error, and 1 less the share of the true
  /// numbers' variance that is left as error. Where the true numbers are all the same the last is 1 without an error
  /// and 0 with one. All are 0 where there is no item.
  double rmse(std::int64_t column) const;
  double mae(std::int64_t column) const;
  double r2(std::int64_t column) const;
  /// By name: r2, rmse or mae; of several columns the mean, of rmse the root of the mean square.
  double metric(const std::string& name) const override;
  nlohmann::ordered_json to_json() const override;
  std::vector<double> counts() const override;
  void add_counts(const std::vector<double>& counts) override;

 private:
  std::vector<std::vector<double>> truth_;
  std::vector<std::vector<double>> predicted_;
};

}  // namespace dshn::train
