#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dshn/hypergraph/hypergraph.hpp"
#include "dshn/parts/partition.hpp"

namespace dshn::parts {

enum class Method : std::uint8_t {
  metis,   ///< little traffic, never more than block has with parts as even; needs METIS
  block,   ///< consecutive nodes: what is near in the file stays together
  random,  ///< what any other way has to be better than
};

/// Parses "metis", "block" or "random"; else UsageError.
Method method(std::string_view text);
std::string_view method_name(Method method);
/// The names of all methods.
std::vector<std::string> method_names();
/// metis where this build has it, else block.
Method best_method();

/// Puts every node into one of `parts` parts of about as many incidences each. A node weighs as much as it has
/// incidences, at least 1. The same hypergraph and seed give the same parts; block needs no seed. Where there are more
/// parts than nodes, some are empty.
///
/// UsageError for less than one part, and for metis where this build does not have it or the hypergraph is too large
/// for it.
Partition divide(const Hypergraph& hypergraph, int parts, Method method, std::uint64_t seed);

/// What a partition costs.
struct Cut {
  /// The sum over all hyperedges of how many parts they touch beyond the first: sums that go from one part to another.
  std::int64_t traffic = 0;
  /// Hyperedges that touch two parts or more.
  std::int64_t shared_edges = 0;
  /// By how much the part with most incidences has more than the mean: 0.05 is 5 %. 0 where there are no incidences.
  double imbalance = 0;

  bool operator==(const Cut&) const = default;
};

/// UsageError for a partition of another number of nodes, or of a part out of range.
Cut measure(const Hypergraph& hypergraph, const Partition& partition);

}  // namespace dshn::parts
