#pragma once

#include "dshn/data/dataset.hpp"
#include "dshn/io/stored_arrays.hpp"

namespace dshn::data {

/// All of a data set as arrays, for files of arrays. The large ones are views of what it has: it must outlive them.
io::ArrayViews to_arrays(const Dataset& dataset);

/// The data set again. Hypergraph and features stand on the arrays; labels, splits and words are copied. InvalidInput
/// where something points outside of what it belongs to (Soundness::memory): one pass over all but dense features. Arrays that
/// no data set has are left.
Dataset dataset_from(io::StoredArrays& arrays);

}  // namespace dshn::data
