#pragma once

#include <nlohmann/json_fwd.hpp>

#include "dshn/experiments/cells.hpp"

namespace dshn::experiments {

/// Writes into a cell what its figures rest on: digests of its data set (data::named_digests), unless the set is not
/// here or is generated.
void add_digests(nlohmann::ordered_json& document, const Recipe& recipe, const Cell& cell);

/// InvalidInput where the data set that is here is not the one that the stored cell was made on. Cells that say nothing
/// about their data are taken as they are.
void check_data(const nlohmann::ordered_json& stored, const Recipe& recipe, const Cell& cell);

}  // namespace dshn::experiments
