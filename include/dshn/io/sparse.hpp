#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "dshn/io/array.hpp"

namespace dshn::io {

/// A sparse matrix as a list of entries (row[i], col[i]) = values[i], in any order.
struct SparseMatrix {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::vector<std::int64_t> row;
  std::vector<std::int64_t> col;
  Array values;  // one-dimensional, any numeric type
};

/// Reads a matrix saved by scipy.sparse.save_npz in the layouts coo, csr, csc and bsr. Throws InvalidInput,
/// also where indices lie outside the matrix.
SparseMatrix read_sparse(const std::filesystem::path& path);

/// Writes a matrix that scipy.sparse.load_npz reads, in the layout csr, entries ordered by row and column.
/// Indices take 32 bits where that suffices. The file appears complete or not at all. Throws UsageError when
/// the parts of the matrix do not fit each other.
void write_sparse(const std::filesystem::path& path, const SparseMatrix& matrix);

}  // namespace dshn::io
