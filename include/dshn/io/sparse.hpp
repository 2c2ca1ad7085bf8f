#pragma once

#include <complex>
#include <cstdint>
#include <filesystem>
#include <span>
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

/// A square Hermitian matrix in compressed rows, columns ascending within a row.
struct HermitianRows {
  std::span<const std::int64_t> row_ptr;  // one more than there are rows
  std::span<const std::int64_t> col;
  std::span<const std::complex<double>> values;
  bool real = false;  // every imaginary part is zero
};

/// Writes what scipy.sparse.load_npz reads, in the layout csr. Indices take 32 bits where that suffices. The file
/// appears complete or not at all.
void write_sparse(const std::filesystem::path& path, const HermitianRows& matrix);

}  // namespace dshn::io
