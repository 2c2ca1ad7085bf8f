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

}  // namespace dshn::data
