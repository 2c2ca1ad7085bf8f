#pragma once

#include <string>

#include "dshn/data/dataset.hpp"

namespace dshn::data {

/// What a model was trained on, each in a few letters: two data sets with equal digests are the same to it,
/// whatever files they were read from.
struct DataDigests {
  std::string hypergraph;  // structure, roles, weights, names
  std::string features;    // numbers of nodes and hyperedges
  std::string labels;      // task, classes and their words

  bool operator==(const DataDigests&) const = default;
};

DataDigests digests_of(const Dataset& dataset);
std::string digest_of(const Split& split);

}  // namespace dshn::data
