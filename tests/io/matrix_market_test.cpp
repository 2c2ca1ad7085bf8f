#include "dshn/io/matrix_market.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "io/test_files.hpp"

namespace dshn::io {
namespace {

TEST(MatrixMarket, HoldsTheLowerTriangleToTheLastBit) {
  const TemporaryFolder folder;
  const std::vector<std::int64_t> row_ptr{0, 2, 4, 4};
  const std::vector<std::int64_t> col{0, 1, 0, 1};
  const std::vector<std::complex<double>> values{{0.1, 1e-30}, {0, -2}, {0, 2}, {3, 0}};

  write_matrix_market(folder / "complex.mtx", {row_ptr, col, values, false});
  write_matrix_market(folder / "real.mtx", {row_ptr, col, values, true});

  EXPECT_EQ(test::get_file(folder / "complex.mtx"),
            "%%MatrixMarket matrix coordinate complex hermitian\n3 3 3\n1 1 0.1 0\n2 1 0 2\n2 2 3 0\n");
  EXPECT_EQ(test::get_file(folder / "real.mtx"),
            "%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n1 1 0.1\n2 1 0\n2 2 3\n");
}

}  // namespace
}  // namespace dshn::io
