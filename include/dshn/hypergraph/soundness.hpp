#pragma once

#include <cstdint>
#include <string>

#include "dshn/hypergraph/hypergraph.hpp"

namespace dshn {

/// How closely arrays are looked at that came from somewhere else than the constructors of hypergraphs.
enum class Soundness : std::uint8_t {
  /// No id, position or beginning points outside of its array, and texts of names are UTF-8: whatever is computed, no
  /// other memory is touched. One pass over the arrays, side by side on all threads.
  memory,
  /// All that Hypergraph promises: order of members, no node twice, both views of the same incidences, weights.
  whole,
};

/// The first thing that is wrong with the arrays, in a few words with its place; empty where nothing is.
std::string find_fault(const Hypergraph& hypergraph, Soundness soundness);

}  // namespace dshn
