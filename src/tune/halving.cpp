#include "tune/halving.hpp"

#include <numeric>

namespace dshn::tune {
namespace {

double mean_of_first(const Trial& trial, int count) {
  return std::accumulate(trial.validation.begin(), trial.validation.begin() + count, 0.0) / count;
}

}  // namespace

bool Halving::is_rung(int done, int splits) const {
  if (done >= splits) return false;
  int rung = 1;
  while (rung < done) rung *= eta;
  return rung == done;
}

bool Halving::hopeless(const std::vector<Trial>& trials, int number, int done) const {
  double own = 0;
  for (const Trial& trial : trials) {
    if (trial.number == number) own = mean_of_first(trial, done);
  }
  int there = 0;
  int better = 0;
  for (const Trial& trial : trials) {
    if (static_cast<int>(trial.validation.size()) < done) continue;
    ++there;
    if (mean_of_first(trial, done) > own) ++better;
  }
  const int kept = (there + eta - 1) / eta;
  return there >= eta && better >= kept;
}

}  // namespace dshn::tune
