#pragma once

#include <vector>

#include "hypergraph/incidence_views.hpp"

namespace dshn {

/// The weights of the incidences in the order of the by-hyperedge view that was made of the same arrays; empty
/// when every one is 1. Throws InvalidInput, with the items' names, on weights that are not finite and positive.
std::vector<double> group_weights(const IncidenceArrays& incidences, const EdgeView& view,
                                  const Names& node_names, const Names& edge_names);

}  // namespace dshn
