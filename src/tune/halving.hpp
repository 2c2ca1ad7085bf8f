#pragma once

#include <vector>

#include "dshn/tune/trial.hpp"

namespace dshn::tune {

/// Successive halving over splits (asynchronous): a trial is judged after 1, eta, eta^2, ... splits.
struct Halving {
  int eta = 3;

  /// Whether trials that run over `splits` splits are judged after `done` of them.
  bool is_rung(int done, int splits) const;

  /// Whether the trial's mean over its first `done` splits is behind the best 1/eta of all trials that have
  /// come as far, itself included. Nobody is stopped before eta trials have come there.
  bool hopeless(const std::vector<Trial>& trials, int number, int done) const;
};

}  // namespace dshn::tune
