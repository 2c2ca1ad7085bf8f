#pragma once

#include <complex>
#include <cstdint>
#include <filesystem>
#include <span>

namespace dshn::io {

/// A square Hermitian matrix in compressed rows, columns ascending within a row.
struct HermitianRows {
  std::span<const std::int64_t> row_ptr;  // one more than there are rows
  std::span<const std::int64_t> col;
  std::span<const std::complex<double>> values;
  bool real = false;  // every imaginary part is zero
};

/// Writes the coordinate format of Matrix Market, 'complex hermitian' or 'real symmetric': the lower
/// triangle, row by row, every number so that it reads back to the same bits. The file appears complete or
/// not at all.
void write_matrix_market(const std::filesystem::path& path, const HermitianRows& matrix);

}  // namespace dshn::io
