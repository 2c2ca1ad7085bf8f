#pragma once

#include "dshn/io/stored_arrays.hpp"
#include "dshn/parts/part.hpp"

namespace dshn::parts {

/// Stands on the arrays, as data::dataset_from; the arrays are those of a data set and no more. InvalidInput where it does
/// not fit itself or the plan: who uses it need not look again.
data::Dataset dataset_from(io::StoredArrays& arrays, const Plan& plan);

}  // namespace dshn::parts
