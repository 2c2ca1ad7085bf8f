#pragma once

#include "dshn/hypergraph/hypergraph.hpp"
#include "dshn/parts/partition.hpp"

namespace dshn::bench {

/// Whether this build has Zoltan and MPI.
bool has_zoltan();

/// By Zoltan's hypergraph partitioner PHG, in one process, with parts that are as even as METIS is asked for. Failure
/// where it finds none, or is not there.
parts::Partition parts_by_zoltan(const Hypergraph& hypergraph, int parts, std::uint64_t seed);

}  // namespace dshn::bench
