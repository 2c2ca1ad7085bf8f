#pragma once

#include "dshn/data/dataset.hpp"
#include "dshn/data/registry.hpp"

namespace dshn::data {

/// The data set's own line of the paper's table of statistics. No features: a dash. The homophily is of node
/// labels and is left out where there are none.
StatisticsRow measure(const Dataset& dataset);

/// Whether two rows are equal in every digit that the paper prints: two decimals of the averages, four of the
/// homophily. A dash equals only a dash.
bool agree(const StatisticsRow& measured, const StatisticsRow& printed);

/// A column of numbers to be predicted, in a few figures; the deviation is that of the population.
struct NumberRange {
  std::string name;
  double least = 0, mean = 0, deviation = 0, greatest = 0;
};
/// Of each column, over the items whose numbers are known; none where the targets are of another kind.
std::vector<NumberRange> number_ranges(const Dataset& dataset);

}  // namespace dshn::data
