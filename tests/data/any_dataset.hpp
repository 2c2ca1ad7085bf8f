#pragma once

#include <string>
#include <utility>
#include <vector>

#include "dshn/data/dataset.hpp"
#include "hypergraph/any_hypergraph.hpp"

/// What RapidCheck draws.
namespace dshn::data::testing {

/// Small whole numbers, half of them 0; by entries or not; or none at all.
inline Features any_features(Index rows) {
  const auto cols = *rc::gen::inRange<Index>(0, 4);
  if (cols == 0) return {};
  if (*rc::gen::arbitrary<bool>()) {
    std::vector<float> values;
    for (Index i = 0; i < rows * cols; ++i) values.push_back(static_cast<float>(*rc::gen::inRange(-2, 3)));
    return {rows, cols, std::move(values)};
  }
  const bool ones = *rc::gen::arbitrary<bool>();
  Features::Entries entries;
  entries.row_ptr.push_back(0);
  for (Index row = 0; row < rows; ++row) {
    for (Index col = 0; col < cols; ++col) {
      if (*rc::gen::arbitrary<bool>()) continue;
      entries.columns.push_back(col);
      if (!ones) entries.values.push_back(static_cast<float>(*rc::gen::inRange(1, 9)));
    }
    entries.row_ptr.push_back(static_cast<Offset>(entries.columns.size()));
  }
  return {rows, cols, std::move(entries)};
}

/// Each item is in one of the three sets, or in none.
inline Split any_split(Index items) {
  Split split;
  for (Index item = 0; item < items; ++item) {
    const int set = *rc::gen::inRange(0, 4);
    if (set == 0) split.train.push_back(item);
    if (set == 1) split.val.push_back(item);
    if (set == 2) split.test.push_back(item);
  }
  return split;
}

inline void add_targets(Dataset& dataset) {
  const Index items = dataset.item_count();
  dataset.class_count = 3;
  dataset.code.target = *rc::gen::element(TargetKind::classes, TargetKind::numbers);
  for (Index i = 0; i < items; ++i) {
    if (dataset.code.target == TargetKind::classes) {
      dataset.labels.push_back(*rc::gen::inRange<Index>(-1, 3));
    } else {
      for (int j = 0; j < 3; ++j) dataset.values.push_back(*rc::gen::inRange(-9, 9) * 0.5);
    }
  }
  if (dataset.code.target == TargetKind::classes) dataset.code.class_names = {"a", "b", "c"};
}

/// Of nodes or of hyperedges, with or without features, targets, times and splits.
inline Dataset any_dataset() {
  Dataset dataset;
  dataset.name = "drawn";
  dataset.hypergraph = test::any_hypergraph();
  dataset.task = *rc::gen::element(Task::node_classification, Task::hyperedge_classification);
  dataset.node_features = any_features(dataset.hypergraph.node_count());
  dataset.edge_features = any_features(dataset.hypergraph.edge_count());
  for (Index c = 0; c < dataset.node_features.cols(); ++c)
    dataset.node_feature_names.push_back("column " + std::to_string(c));
  if (*rc::gen::arbitrary<bool>()) add_targets(dataset);
  if (dataset.has_targets()) {
    const int splits = *rc::gen::inRange(0, 3);
    for (int i = 0; i < splits; ++i) dataset.splits.push_back(any_split(dataset.item_count()));
  }
  return dataset;
}

}  // namespace dshn::data::testing
