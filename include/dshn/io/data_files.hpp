#pragma once

#include <filesystem>
#include <optional>

/// Names of the files in a data set folder, and of the arrays in Loaded::arrays and nodes.npz.
namespace dshn::io {

inline constexpr const char* kHypergraphFile = "hypergraph.hif.json";  // also with .gz or .zst
inline constexpr const char* kArraysFile = "nodes.npz";
/// Or tables, each .csv or .tsv, also with .gz or .zst.
inline constexpr const char* kHypergraphTable = "hypergraph";
inline constexpr const char* kNodeTable = "nodes";
inline constexpr const char* kEdgeTable = "hyperedges";

inline constexpr const char* kNodeFeatures = "x";
inline constexpr const char* kNodeFeatureBits = "x_bits";  // with kNodeFeatureShape in place of kNodeFeatures
inline constexpr const char* kNodeFeatureShape = "x_shape";
inline constexpr const char* kEdgeFeatures = "edge_x";
inline constexpr const char* kNodeLabels = "y";
inline constexpr const char* kEdgeLabels = "edge_y";
/// What kind of targets y and edge_y are, where their types and shapes do not say it: one word.
inline constexpr const char* kNodeTarget = "y_target";
inline constexpr const char* kEdgeTarget = "edge_y_target";
inline constexpr const char* kTrainMasks = "train_masks";
inline constexpr const char* kValMasks = "val_masks";
inline constexpr const char* kTestMasks = "test_masks";
inline constexpr const char* kClassNames = "class_names";
inline constexpr const char* kNodeFeatureNames = "x_names";
inline constexpr const char* kEdgeFeatureNames = "edge_x_names";

/// What a file of arrays holds that the binary format writes.
inline constexpr const char* kDatasetKind = "data set";
inline constexpr const char* kBinaryTitle = "binary data set";

/// The hypergraph's file in a data set folder; nothing where the folder is none.
std::optional<std::filesystem::path> hypergraph_file(const std::filesystem::path& folder);

}  // namespace dshn::io
