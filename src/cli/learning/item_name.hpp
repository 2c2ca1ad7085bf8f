#pragma once

#include <string>

#include "dshn/data/dataset.hpp"

namespace dshn::cli {

/// The node or hyperedge, whichever the data set classifies, of this name. Where a number and a word are written
/// alike, the number is meant; the word in 'quotes' means the word. UsageError, with the nearest names, where there
/// is none.
Index find_item(const data::Dataset& dataset, const std::string& name);

}  // namespace dshn::cli
