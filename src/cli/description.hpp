#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/terminal.hpp"
#include "dshn/data/measure.hpp"
#include "dshn/data/registry.hpp"
#include "dshn/hypergraph/statistics.hpp"

namespace dshn::cli {

/// A partition of the nodes in two figures.
struct ComponentFigures {
  Index count = 0;
  Index largest = 0;
};

/// Everything that `dshn data info` says about a data set.
struct Description {
  const data::Dataset* dataset = nullptr;
  /// The built-in data set whose paper row stands beside; null for none.
  const data::Entry* paper = nullptr;
  /// The columns of the paper's table.
  data::StatisticsRow row;
  Statistics statistics;
  ComponentFigures components, role_components;
  /// Items of each class, or of each label.
  std::vector<Index> class_counts;
  Index unlabelled = 0;
  /// Of each column of numbers.
  std::vector<data::NumberRange> numbers;
  /// How training divides the items when nobody says otherwise; empty where there are no labels.
  std::string split_protocol;
};

/// The data set must outlive the result. An entry without a row of the paper counts as none.
Description describe(const data::Dataset& dataset, const data::Entry* paper);

std::string page(const Description& description, const Terminal& terminal);
nlohmann::ordered_json document(const Description& description);

}  // namespace dshn::cli
