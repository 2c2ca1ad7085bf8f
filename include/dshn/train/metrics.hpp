#pragma once

#include <vector>

#include "dshn/train/figures.hpp"

namespace dshn::train {

/// Counts of (true class, predicted class) and what follows from them.
class Confusion : public Figures {
 public:
  explicit Confusion(std::int64_t classes) : classes_(classes), counts_(classes * classes, 0) {}
  void add(std::int64_t truth, std::int64_t predicted) { ++counts_[truth * classes_ + predicted]; }

  std::int64_t classes() const { return classes_; }
  std::int64_t count(std::int64_t truth, std::int64_t predicted) const {
    return counts_[truth * classes_ + predicted];
  }
  std::int64_t support(std::int64_t truth) const;
  std::int64_t items() const override;

  double accuracy() const;
  /// 0 where a class was never predicted (precision) or never occurs (recall), as is F1 where both are 0.
  double precision(std::int64_t c) const;
  double recall(std::int64_t c) const;
  double f1(std::int64_t c) const;
  /// Mean of F1 over the classes that occur or were predicted.
  double macro_f1() const;
  /// F1 of the pooled counts: the accuracy, as each item has one class.
  double micro_f1() const { return accuracy(); }
  /// Mean of F1 weighted by support.
  double weighted_f1() const;
  /// By name: accuracy, macro-f1, micro-f1 or weighted-f1.
  double metric(const std::string& name) const override;
  nlohmann::ordered_json to_json() const override;
  std::vector<double> counts() const override;
  void add_counts(const std::vector<double>& counts) override;

 private:
  std::int64_t predicted(std::int64_t c) const;

  std::int64_t classes_;
  std::vector<std::int64_t> counts_;
};

/// Mean and standard deviation (of the population, as NumPy's std gives it).
struct MeanStd {
  double mean = 0;
  double std = 0;
};
MeanStd mean_std(const std::vector<double>& values);

}  // namespace dshn::train
