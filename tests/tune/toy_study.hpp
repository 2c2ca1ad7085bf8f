#pragma once

#include <functional>
#include <string>
#include <vector>

#include "dshn/tune/sampler.hpp"

namespace dshn::tune::test {

/// A finished trial with these figures.
inline Trial finished_trial(int number, Assignments set, std::vector<double> validation,
                            TrialState state = TrialState::completed) {
  Trial trial;
  trial.number = number;
  trial.state = state;
  trial.set = std::move(set);
  trial.validation = std::move(validation);
  return trial;
}

/// `count` ordered values 0, 1, ... of a parameter.
inline Parameter numbers(const std::string& name, int count) {
  Parameter parameter{name, {}};
  for (int i = 0; i < count; ++i) parameter.values.push_back(std::to_string(i));
  return parameter;
}

/// A search of so many trials, one after the other.
inline std::vector<Trial> search(const Sampler& sampler, const SearchSpace& space, int trials,
                                 const std::function<double(const Configuration&)>& objective) {
  std::vector<Trial> history;
  for (int number = 0; number < trials; ++number) {
    const Configuration configuration = sampler.propose(space, history, number);
    history.push_back(finished_trial(number, assignments(space, configuration), {objective(configuration)}));
  }
  return history;
}

}  // namespace dshn::tune::test
