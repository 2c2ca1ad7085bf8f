#include "dshn/train/label_counts.hpp"

#include <nlohmann/json.hpp>

#include "dshn/base/error.hpp"

namespace dshn::train {
namespace {

double share(std::int64_t part, std::int64_t whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

}  // namespace

void LabelCounts::add(const double* truth, const double* predicted) {
  bool right = true;
  for (std::size_t c = 0; c < counts_.size(); ++c) {
    const bool has = truth[c] > 0.5;
    const bool told = predicted[c] > 0.5;
    counts_[c].support += has ? 1 : 0;
    counts_[c].predicted += told ? 1 : 0;
    counts_[c].both += has && told ? 1 : 0;
    right = right && has == told;
  }
  ++items_;
  all_right_ += right ? 1 : 0;
}

std::vector<double> LabelCounts::counts() const {
  std::vector<double> all{static_cast<double>(items_), static_cast<double>(all_right_)};
  for (const Count& count : counts_) {
    for (const std::int64_t one : {count.support, count.predicted, count.both})
      all.push_back(static_cast<double>(one));
  }
  return all;
}

void LabelCounts::add_counts(const std::vector<double>& counts) {
  auto next = counts.begin();
  const auto take = [&](std::int64_t& to) { to += static_cast<std::int64_t>(*next++); };
  take(items_);
  take(all_right_);
  for (Count& count : counts_) {
    take(count.support);
    take(count.predicted);
    take(count.both);
  }
}

double LabelCounts::precision(std::int64_t label) const {
  return share(both(label), predicted(label));
}

double LabelCounts::recall(std::int64_t label) const {
  return share(both(label), support(label));
}

double LabelCounts::f1(std::int64_t label) const {
  return share(2 * both(label), predicted(label) + support(label));
}

double LabelCounts::micro_f1() const {
  std::int64_t hits = 0;
  std::int64_t all = 0;
  for (const Count& count : counts_) {
    hits += count.both;
    all += count.support + count.predicted;
  }
  return share(2 * hits, all);
}

double LabelCounts::macro_f1() const {
  double sum = 0;
  std::int64_t seen = 0;
  for (std::int64_t c = 0; c < labels(); ++c) {
    if (support(c) + predicted(c) == 0) continue;
    sum += f1(c);
    ++seen;
  }
  return seen > 0 ? sum / static_cast<double>(seen) : 0;
}

double LabelCounts::subset_accuracy() const {
  return share(all_right_, items_);
}

double LabelCounts::metric(const std::string& name) const {
  if (name == "micro-f1") return micro_f1();
  if (name == "macro-f1") return macro_f1();
  if (name == "subset-accuracy") return subset_accuracy();
  throw UsageError("unknown metric '" + name + "' of labels; expected micro-f1, macro-f1 or subset-accuracy");
}

nlohmann::ordered_json LabelCounts::to_json() const {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (std::int64_t c = 0; c < labels(); ++c) {
    list.push_back({{"label", c},
                    {"support", support(c)},
                    {"predicted", predicted(c)},
                    {"both", both(c)},
                    {"precision", precision(c)},
                    {"recall", recall(c)},
                    {"f1", f1(c)}});
  }
  return {{"items", items()},
          {"micro_f1", micro_f1()},
          {"macro_f1", macro_f1()},
          {"subset_accuracy", subset_accuracy()},
          {"labels", list}};
}

}  // namespace dshn::train
