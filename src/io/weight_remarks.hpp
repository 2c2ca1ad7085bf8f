#pragma once

#include <fmt/format.h>

#include "dshn/io/load.hpp"

namespace dshn::io {

/// Says what became of the weights of so many incidences, in the same words for every format.
inline void remark_on_weights(Loaded& loaded, std::int64_t count, IncidenceWeights rule) {
  if (count == 0) return;
  if (rule == IncidenceWeights::use)
    loaded.notes.push_back(
        fmt::format("the weights of {} incidences are used: a member counts so many times", count));
  else
    loaded.warnings.push_back(
        fmt::format("the weights of {} incidences are not used: members count alike", count));
}

/// The same of arcs, which from_directed_graph() makes members of hyperedges.
inline void remark_on_arc_weights(Loaded& loaded, std::int64_t count, IncidenceWeights rule) {
  if (count == 0) return;
  if (rule == IncidenceWeights::use)
    loaded.notes.push_back(fmt::format(
        "the weights of {} arcs are used: a head counts so many times, a tail as its heads do on average",
        count));
  else
    loaded.warnings.push_back(fmt::format("the weights of {} arcs are not used", count));
}

}  // namespace dshn::io
