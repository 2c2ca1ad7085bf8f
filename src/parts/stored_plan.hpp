#pragma once

#include "dshn/parts/part.hpp"
#include "parts/stored_arrays.hpp"

namespace dshn::parts {

io::Arrays to_arrays(const Plan& plan);

/// InvalidInput where numbers are out of range or lists do not agree: who uses the plan need not look again.
Plan plan_from(StoredArrays& arrays);

}  // namespace dshn::parts
