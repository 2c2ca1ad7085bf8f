#pragma once

#include <vector>

#include "dshn/base/options.hpp"
#include "dshn/data/open.hpp"

namespace dshn::data {

/// Everything that says how data is read: what to make of doubtful input, files with labels and features
/// beside the hypergraph, which column or attribute is what.
const std::vector<OptionSpec>& reading_options();

/// UsageError for unknown names and for values that do not fit.
OpenOptions open_options(const Assignments& reading);

/// How another data set is read in the same manner: all but the files, which belong to the first one.
Assignments without_files(Assignments reading);

}  // namespace dshn::data
