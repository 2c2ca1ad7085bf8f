#pragma once

#include <string>

#include "dshn/base/options.hpp"
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

/// All of these, and "splits" for the published ones, by name: what is kept beside figures. Nothing of a set that is
/// generated, which no file can change.
Assignments named_digests(const Dataset& dataset);

/// Where two sets of digests differ, in a few words; empty where they do not.
std::string difference(const DataDigests& then, const DataDigests& now);
/// The same of named ones; what only one of them has is no difference.
std::string difference(const Assignments& then, const Assignments& now);

}  // namespace dshn::data
