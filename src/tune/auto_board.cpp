#include "dshn/tune/auto_search.hpp"

namespace dshn::tune {

std::vector<int> AutoBoard::ranked() const {
  std::vector<Trial> trials;
  for (const Candidate& candidate : candidates) trials.push_back(candidate.trial);
  return ranking(trials);
}

}  // namespace dshn::tune
