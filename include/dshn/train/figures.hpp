#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "dshn/data/target.hpp"

namespace dshn::train {

/// How well predictions agree with what is known of some items. Each kind of target has figures of its own.
class Figures {
 public:
  Figures() = default;
  Figures(const Figures&) = default;
  Figures& operator=(const Figures&) = default;
  Figures(Figures&&) = default;
  Figures& operator=(Figures&&) = default;
  virtual ~Figures() = default;

  /// How many items were looked at.
  virtual std::int64_t items() const = 0;
  /// By name, as metrics_of() has them; UsageError for any other.
  virtual double metric(const std::string& name) const = 0;
  /// All figures, as result.json has them.
  virtual nlohmann::ordered_json to_json() const = 0;

  /// All that was looked at, as numbers that others of the same kind can add to theirs.
  virtual std::vector<double> counts() const = 0;
  virtual void add_counts(const std::vector<double>& counts) = 0;
};

/// A figure that validation can go by.
struct Metric {
  std::string name;
  std::string title;  // "macro F1"
  /// Between 0 and 1, and shown in per cent.
  bool is_share = true;
  bool lower_is_better = false;
};

/// The metrics of a kind of target; tables show them in this order.
const std::vector<Metric>& metrics_of(data::TargetKind kind);
/// The one of that name, whatever it is of; UsageError where there is none.
const Metric& find_metric(std::string_view name);
/// The names of all of them, each once.
std::vector<std::string> metric_names();

/// A figure for people, without a unit: per cent with two decimals, "87.50", or four digits of what is no share.
std::string figure_text(const Metric& metric, double value);

}  // namespace dshn::train
