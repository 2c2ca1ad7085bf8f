#include "cli/matrix_market.hpp"

#include <fmt/format.h>

#include <iterator>
#include <string>

#include "dshn/io/atomic_file.hpp"

namespace dshn::cli {
namespace {

std::int64_t lower_entries(const sheaf::CsrMatrix& matrix) {
  std::int64_t count = 0;
  for (std::int64_t r = 0; r < matrix.dimension; ++r) {
    for (std::int64_t i = matrix.row_ptr[r]; i < matrix.row_ptr[r + 1] && matrix.col[i] <= r; ++i) ++count;
  }
  return count;
}

}  // namespace

void write_matrix_market(const std::filesystem::path& path, const sheaf::CsrMatrix& matrix) {
  io::AtomicFile file(path);
  file.write(fmt::format("%%MatrixMarket matrix coordinate {}\n{} {} {}\n",
                         matrix.real ? "real symmetric" : "complex hermitian", matrix.dimension,
                         matrix.dimension, lower_entries(matrix)));
  std::string line;
  for (std::int64_t r = 0; r < matrix.dimension; ++r) {
    for (std::int64_t i = matrix.row_ptr[r]; i < matrix.row_ptr[r + 1] && matrix.col[i] <= r; ++i) {
      line.clear();
      fmt::format_to(std::back_inserter(line), "{} {} {}", r + 1, matrix.col[i] + 1, matrix.values[i].real());
      // The format wants real diagonals; ours are, up to rounding.
      if (!matrix.real)
        fmt::format_to(std::back_inserter(line), " {}", matrix.col[i] == r ? 0.0 : matrix.values[i].imag());
      line += '\n';
      file.write(line);
    }
  }
  file.commit();
}

}  // namespace dshn::cli
