#pragma once

#include <cstdint>
#include <vector>

#include "dshn/hypergraph/hypergraph.hpp"

namespace dshn::parts {

/// Whether this build has METIS.
bool has_metis();

/// UsageError where METIS, whose numbers may have 32 bits, cannot take so many.
void check_fits_metis(Index nodes, Index edges, Offset incidences);

/// The part of each node, by each of METIS's aims; none where it finds no parts. At least 2 parts, 4 times as many
/// nodes, and some incidences: with less METIS writes to standard output. UsageError where this build has no METIS, or
/// the hypergraph is too large for it.
std::vector<std::vector<std::int32_t>> divide_by_metis(const Hypergraph& hypergraph, int parts,
                                                       std::uint64_t seed);

}  // namespace dshn::parts
