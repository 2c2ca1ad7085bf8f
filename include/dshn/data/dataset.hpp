#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "dshn/data/code.hpp"
#include "dshn/data/feature_matrix.hpp"
#include "dshn/hypergraph/hypergraph.hpp"

namespace dshn::data {

enum class Task : std::uint8_t { node_classification, hyperedge_classification };

/// What the task is about: "node" or "hyperedge".
std::string item_word(Task task);
/// "node classification", "hyperedge regression", "multi-label node classification".
std::string task_words(Task task, TargetKind target);

/// Disjoint sets of items (nodes or hyperedges, by the task), ascending.
struct Split {
  std::vector<Index> train, val, test;

  bool operator==(const Split&) const = default;
};

/// Everything that training needs to know about one data set.
struct Dataset {
  std::string name;
  Hypergraph hypergraph;
  Task task = Task::node_classification;
  Features node_features;
  Features edge_features;
  /// The name of each column of the features; empty where they have none.
  std::vector<std::string> node_feature_names;
  std::vector<std::string> edge_feature_names;
  /// What kind of targets there are, their words, and how tables became features.
  DataCode code;
  /// Of classes: that of each item; -1 where it is not known. Empty when there are no labels at all.
  std::vector<Index> labels;
  /// Of numbers, and of labels as 0 and 1: a row of class_count values for each item, NaN where they are not
  /// known. Empty when there are none.
  std::vector<double> values;
  /// How many classes, labels or columns of numbers there are: as many as a model has outputs.
  Index class_count = 0;
  /// Published splits; empty when the data set comes without.
  std::vector<Split> splits;
  /// Where they come from, for the words beside figures: "the published masks", "column split of nodes.csv".
  std::string splits_from = "the published masks";
  /// When each item was, as a rank: equal for equal times, -1 where it is not known. Empty: no order in time.
  std::vector<Index> times;
  /// Drawn by a generator, with a seed, rather than read.
  bool generated = false;
  /// Where it came from, e.g. a path, or the generator and its seed.
  std::string origin;
  /// The format as a person would call it, e.g. "HIF JSON, gzip".
  std::string format;
  /// One line each: things that were assumed, merged or left out.
  std::vector<std::string> warnings;
  /// One line each: what was made of tables.
  std::vector<std::string> notes;

  /// The word for a class, or its number.
  std::string class_name(Index c) const {
    return code.class_names.empty() ? std::to_string(c) : code.class_names[static_cast<std::size_t>(c)];
  }

  bool has_targets() const { return !labels.empty() || !values.empty(); }
  /// Whether there are targets and the item has one.
  bool is_known(Index item) const {
    if (!values.empty()) return !std::isnan(value(item, 0));
    return !labels.empty() && labels[static_cast<std::size_t>(item)] >= 0;
  }
  /// A number of an item, or whether it has a label.
  double value(Index item, Index column) const {
    return values[static_cast<std::size_t>(item) * static_cast<std::size_t>(class_count) +
                  static_cast<std::size_t>(column)];
  }

  /// What the labels and splits are about: all nodes or all hyperedges.
  Index item_count() const {
    return task == Task::node_classification ? hypergraph.node_count() : hypergraph.edge_count();
  }
};

}  // namespace dshn::data
