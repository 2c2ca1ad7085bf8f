#pragma once

#include <string>
#include <vector>

#include "dshn/hypergraph/hypergraph.hpp"

namespace dshn::data {

enum class Task : std::uint8_t { node_classification, hyperedge_classification };

/// A dense row-major matrix of features; no columns means that there are none.
struct Features {
  Index rows = 0;
  Index cols = 0;
  std::vector<float> values;
};

/// Disjoint sets of items (nodes or hyperedges, by the task), ascending.
struct Split {
  std::vector<Index> train, val, test;
};

/// Everything that training needs to know about one data set.
struct Dataset {
  std::string name;
  Hypergraph hypergraph;
  Task task = Task::node_classification;
  Features node_features;
  Features edge_features;
  /// Class of each item; -1 where it is not known. Empty when there are no labels at all.
  std::vector<Index> labels;
  Index class_count = 0;
  /// Published splits; empty when the data set comes without.
  std::vector<Split> splits;
};

}  // namespace dshn::data
