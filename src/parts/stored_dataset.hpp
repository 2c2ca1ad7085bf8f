#pragma once

#include "dshn/parts/part.hpp"
#include "parts/stored_arrays.hpp"

namespace dshn::parts {

io::Arrays to_arrays(const data::Dataset& dataset);

/// InvalidInput where it does not fit itself or the plan: who uses it need not look again.
data::Dataset dataset_from(StoredArrays& arrays, const Plan& plan);

// Of a hypergraph, for the above.
void put_hypergraph(io::Arrays& arrays, const Hypergraph& hypergraph);
Hypergraph take_hypergraph(StoredArrays& arrays, const Plan& plan);

}  // namespace dshn::parts
