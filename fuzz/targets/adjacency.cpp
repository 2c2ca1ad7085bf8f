// Sparse matrices as scipy stores them, and hypergraphs made of them.
#include "dshn/io/load.hpp"
#include "dshn/io/npz.hpp"
#include "dshn/io/sparse.hpp"
#include "fuzz/target.hpp"

namespace dshn::fuzz::adjacency {
namespace {

using Integers = std::vector<std::int64_t>;

io::Array numbers(const Integers& values) {
  return io::Array::of(values, {static_cast<std::int64_t>(values.size())});
}

std::string archive(io::Arrays arrays, const std::string& layout) {
  arrays["format"] = io::Array::of(std::vector<std::string>{layout}, {});
  io::write_npz(scratch() / "seed.npz", arrays, false);
  return content_of(scratch() / "seed.npz");
}

std::string coo(const Integers& row, const Integers& shape) {
  return archive({{"row", numbers(row)},
                  {"col", numbers({1, 2})},
                  {"data", io::Array::of(std::vector<double>{1, 2.5}, {2})},
                  {"shape", numbers(shape)}},
                 "coo");
}

std::string compressed(const Integers& ptr, const std::string& layout) {
  return archive({{"indptr", numbers(ptr)},
                  {"indices", numbers({1, 0})},
                  {"data", io::Array::of(std::vector<float>{1, 1}, {2})},
                  {"shape", numbers({2, 2})}},
                 layout);
}

std::vector<std::string> valid() {
  const std::string blocks =
      archive({{"indptr", numbers({0, 1, 2})},
               {"indices", numbers({1, 0})},
               {"data", io::Array::of(std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8}, {2, 2, 2})},
               {"shape", numbers({4, 4})}},
              "bsr");
  return {coo({0, 1}, {3, 3}), compressed({0, 1, 2}, "csr"), compressed({0, 1, 2}, "csc"), blocks};
}

std::vector<std::string> malformed() {
  return {"",
          coo({0, 9}, {3, 3}),
          coo({0}, {3, 3}),
          coo({0, 1}, {3, -3}),
          coo({0, 1}, {3}),
          compressed({0, 9, 2}, "csr"),
          compressed({0, 1, 2}, "dia"),
          compressed({2, 1, 0}, "csc")};
}

void read(std::string_view bytes) {
  constexpr std::int64_t kMost = 10'000;  // more are allowed and take their time
  const std::filesystem::path file = file_with(bytes, "file.npz");
  const io::SparseMatrix matrix = io::read_sparse(file);
  require(matrix.row.size() == matrix.col.size() &&
              static_cast<std::int64_t>(matrix.row.size()) == matrix.values.size(),
          "an entry has a row, a column and a value");
  for (std::size_t i = 0; i < matrix.row.size(); ++i)
    require(matrix.row[i] >= 0 && matrix.row[i] < matrix.rows && matrix.col[i] >= 0 &&
                matrix.col[i] < matrix.cols,
            "entries lie in the matrix");
  if (matrix.rows <= kMost) io::load(file);
}

}  // namespace

Target target() {
  return {"adjacency", valid, malformed, read};
}

}  // namespace dshn::fuzz::adjacency
