#pragma once

#include <functional>
#include <optional>
#include <string>

namespace dshn::ranks {

/// Where the processes of a training meet, and which of them this is.
struct Place {
  int rank = 0;
  int size = 1;
  std::string host = "127.0.0.1";
  int port = 0;
  /// Whether rank 0 opens the place; else whoever started the ranks has.
  bool opened_by_rank_0 = true;
};

/// What torchrun, mpirun and srun tell a process that they start with others: nothing where there are no others.
/// UsageError where they tell something that cannot be. `variable` gives the value of an environment variable or null.
std::optional<Place> place_of(const std::function<const char*(const char*)>& variable);

}  // namespace dshn::ranks
