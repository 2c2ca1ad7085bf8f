#pragma once

#include <vector>

#include "dshn/train/figures.hpp"

namespace dshn::train {

/// Of items that may have several labels: how often each label was found where it is, and where it is not.
class LabelCounts : public Figures {
 public:
  explicit LabelCounts(std::int64_t labels) : counts_(labels) {}
  /// One item: for each label, whether it has it and whether that was predicted (above 1/2: yes).
  void add(const double* truth, const double* predicted);

  std::int64_t labels() const { return static_cast<std::int64_t>(counts_.size()); }
  std::int64_t items() const override { return items_; }
  /// How many items have the label, of how many it was predicted, and of how many both.
  std::int64_t support(std::int64_t label) const { return counts_[label].support; }
  std::int64_t predicted(std::int64_t label) const { return counts_[label].predicted; }
  std::int64_t both(std::int64_t label) const { return counts_[label].both; }

  /// 0 where a label was never predicted (precision) or never occurs (recall), as is F1 where both are 0.
  double precision(std::int64_t label) const;
  double recall(std::int64_t label) const;
  double f1(std::int64_t label) const;
  /// F1 of the pooled counts.
  double micro_f1() const;
  /// Mean of F1 over the labels that occur or were predicted.
  double macro_f1() const;
  /// The share of the items of which all labels are right.
  double subset_accuracy() const;
  /// By name: micro-f1, macro-f1 or subset-accuracy.
  double metric(const std::string& name) const override;
  nlohmann::ordered_json to_json() const override;
  std::vector<double> counts() const override;
  void add_counts(const std::vector<double>& counts) override;

 private:
  struct Count {
    std::int64_t support = 0, predicted = 0, both = 0;
  };

  std::vector<Count> counts_;
  std::int64_t items_ = 0;
  std::int64_t all_right_ = 0;
};

}  // namespace dshn::train
