#include "dshn/io/matrix_market.hpp"

#include <fmt/format.h>

#include <iterator>
#include <string>

#include "dshn/io/atomic_file.hpp"

namespace dshn::io {
namespace {

/// Calls f(row, position) for the entries on and below the diagonal.
template <typename F>
void for_each_lower(const HermitianRows& matrix, F&& f) {
  for (std::int64_t r = 0; r + 1 < std::ssize(matrix.row_ptr); ++r) {
    for (std::int64_t i = matrix.row_ptr[r]; i < matrix.row_ptr[r + 1] && matrix.col[i] <= r; ++i) f(r, i);
  }
}

}  // namespace

void write_matrix_market(const std::filesystem::path& path, const HermitianRows& matrix) {
  std::int64_t entries = 0;
  for_each_lower(matrix, [&](std::int64_t, std::int64_t) { ++entries; });
  const std::int64_t dimension = std::ssize(matrix.row_ptr) - 1;
  AtomicFile file(path);
  file.write(fmt::format("%%MatrixMarket matrix coordinate {}\n{} {} {}\n",
                         matrix.real ? "real symmetric" : "complex hermitian", dimension, dimension,
                         entries));
  std::string line;
  for_each_lower(matrix, [&](std::int64_t r, std::int64_t i) {
    line.clear();
    fmt::format_to(std::back_inserter(line), "{} {} {}", r + 1, matrix.col[i] + 1, matrix.values[i].real());
    // The format wants real diagonals; ours are, up to rounding.
    if (!matrix.real)
      fmt::format_to(std::back_inserter(line), " {}", matrix.col[i] == r ? 0.0 : matrix.values[i].imag());
    line += '\n';
    file.write(line);
  });
  file.commit();
}

}  // namespace dshn::io
