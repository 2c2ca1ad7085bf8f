#pragma once

#include <string>
#include <vector>

#include "data/array_checks.hpp"

namespace dshn::data {

/// Whether a file of features is a NumPy archive rather than a table.
bool is_archive(const std::string& file);

/// What a NumPy archive says about items.
struct ArchivedFeatures {
  Features features;
  std::vector<std::string> names;  // of the columns; may be empty
  std::vector<std::string> notes;
  std::vector<std::string> warnings;
};

/// Reads features from an .npz file: a sparse matrix with the arrays that scipy.sparse.save_npz writes, or a dense
/// array `x`. Beside it stands an array `ids` of words or integers, one for each row, by which the rows are joined
/// to the items; and maybe an array `names`, one for each column. An item without a row has zeros. InvalidInput
/// where there are no ids, since an order of rows says nothing about nodes.
ArchivedFeatures read_feature_archive(const std::string& file, const Items& items);

}  // namespace dshn::data
