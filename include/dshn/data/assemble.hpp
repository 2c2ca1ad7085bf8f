#pragma once

#include <optional>
#include <string>

#include "dshn/data/dataset.hpp"
#include "dshn/io/load.hpp"

namespace dshn::data {

struct AssembleOptions {
  std::string name;
  /// Stands at the beginning of every error message: the path that was loaded.
  std::string where;
  /// Empty: by the labels that there are, the nodes' where there are both.
  std::optional<Task> task;
  /// Empty: by type and shape of the array.
  std::optional<TargetKind> target = {};
};

/// Makes a data set of what a file or folder held. Arrays that are understood:
///  - x, or x_bits and x_shape: node features, [n, f], or [n] for one column; bits are packed along the rows,
///    most significant first; edge_x likewise for hyperedges;
///  - y, edge_y: the class of each node or hyperedge, -1 where it is not known; or numbers, [n] or [n, k] of a
///    floating-point type, NaN where they are not known; or labels, [n, k] of 0 and 1, -1 where they are not known;
///  - y_target, edge_y_target: "classes", "numbers" or "labels", where that does not tell them apart;
///  - class_names: a word for each class, also for classes that no item has, label or column of numbers;
///  - x_names, edge_x_names: a word for each column of the features;
///  - train_masks, val_masks, test_masks: [s, items], or [items] for one split; all three or none.
/// InvalidInput names the item and the column where a feature is not finite, the split and the item where
/// masks overlap or hold an item without label, and the sizes where lengths and shapes do not fit.
Dataset assemble(io::Loaded loaded, const AssembleOptions& options);

}  // namespace dshn::data
