#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "dshn/io/load.hpp"

namespace dshn::io {

// The formats in which the public data sets are handed out. Each is a directed graph with features, labels
// and splits; the hypergraph is made by from_directed_graph ('Directed Hypergraph from a Directed Graph').
// Arrays come back under the names of Loaded::arrays. All throw InvalidInput.

/// `count` as an Index, where it is not too large for one.
Index checked_node_count(std::int64_t count, const std::filesystem::path& path);

/// heterophilous-graphs .npz: edges [k, 2], node_features, node_labels, train_masks, val_masks, test_masks.
/// Edges are taken as arcs in the order in which they are stored, also in the undirected files, as the paper
/// does.
Loaded read_heterophilous(const std::filesystem::path& path, const LoadOptions& options = {});

/// WebKB folder: out1_graph_edges.txt, out1_node_feature_label.txt and any number of *_split_*.npz with
/// train_mask, val_mask and test_mask, taken in the order of the last number in their names.
Loaded read_webkb(const std::filesystem::path& folder, const LoadOptions& options = {});

/// LINQS .cites: rows (cited paper, citing paper); the cited paper is the tail. Nodes are the papers of the
/// .content file beside it (id, features, class), in its order, with class_names in alphabetical order;
/// papers that it does not list are dropped with a warning. Without a .content file, `ids` says which papers
/// exist and their order; where that is empty too, every paper mentioned is a node, numbered as in text.hpp.
Loaded read_linqs(const std::filesystem::path& path, const LoadOptions& options = {},
                  const std::vector<std::string>& ids = {});

/// A square scipy sparse .npz, an arc for each entry that is not zero, from row to column. Labels come from
/// the .npy beside it: NAME_labels.npy for NAME.npz and for NAME_adj.npz.
Loaded read_adjacency(const std::filesystem::path& path, const LoadOptions& options = {});

}  // namespace dshn::io
