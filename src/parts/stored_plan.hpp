#pragma once

#include "dshn/io/stored_arrays.hpp"
#include "dshn/parts/part.hpp"

namespace dshn::parts {

/// Views of what the plan has: it must outlive them.
io::ArrayViews to_arrays(const Plan& plan);

/// InvalidInput where numbers are out of range or lists do not agree: who uses the plan need not look again.
Plan plan_from(io::StoredArrays& arrays);

}  // namespace dshn::parts
