#pragma once

#include <optional>

#include "dshn/data/open.hpp"

namespace dshn::data {

/// What tables say about a data set beyond what fits the arrays of io::Loaded.
struct TableFacts {
  Task task = Task::node_classification;
  DataCode code;
  Features node_features;  // no columns: none from tables
  Features edge_features;
  std::vector<std::string> node_feature_names;
  std::vector<std::string> edge_feature_names;
  std::string splits_from;  // empty: not from a table
  std::vector<Index> times;
  std::vector<std::string> notes;
};

/// What a HIF file must be asked for, so that use_tables finds it.
io::LoadOptions with_attributes(io::LoadOptions load, const OpenOptions& options);

/// Reads the files that the options name, joins them and the tables that came with the hypergraph to its nodes
/// and hyperedges, and leaves labels and splits among the arrays of `loaded`. What was given in two ways is
/// taken from the files first, then from tables, with a warning. `usual` is the task where nobody says otherwise.
TableFacts use_tables(io::Loaded& loaded, const OpenOptions& options, std::optional<Task> usual);

/// Puts the features that tables gave among the arrays too, with their names.
void store_features(io::Loaded& loaded, const TableFacts& facts);

}  // namespace dshn::data
