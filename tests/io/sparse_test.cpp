#include "dshn/io/sparse.hpp"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>

#include "dshn/base/error.hpp"
#include "dshn/io/npz.hpp"
#include "io/numpy_files.hpp"
#include "io/test_files.hpp"

namespace dshn::io {
namespace {

using test::from_hex;
using test::message_of;
using test::put_file;
using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::HasSubstr;

using Entries = std::map<std::pair<std::int64_t, std::int64_t>, std::complex<double>>;

Entries entries(const SparseMatrix& matrix) {
  Entries out;
  const auto values = matrix.values.as<std::complex<double>>("values");
  for (std::size_t i = 0; i < values.size(); ++i) out[{matrix.row[i], matrix.col[i]}] = values[i];
  return out;
}

SparseMatrix read_hex(std::string_view hex) {
  const TemporaryFolder folder;
  put_file(folder / "m.npz", from_hex(hex));
  return read_sparse(folder / "m.npz");
}

TEST(Sparse, ReadsEveryLayoutOfScipy) {
  const Entries expected{{{0, 1}, 1.5}, {{2, 0}, 2.5}, {{2, 3}, 3.5}};
  for (const auto hex : {test::kSparseCoo, test::kSparseCsr, test::kSparseCsc}) {
    const SparseMatrix matrix = read_hex(hex);

    EXPECT_EQ(matrix.rows, 3);
    EXPECT_EQ(matrix.cols, 4);
    EXPECT_EQ(entries(matrix), expected);
  }
}

TEST(Sparse, ReadsBlocks) {
  const Entries expected{{{0, 2}, 0}, {{0, 3}, 1}, {{1, 2}, 2}, {{1, 3}, 3},
                         {{2, 0}, 4}, {{2, 1}, 5}, {{3, 0}, 6}, {{3, 1}, 7}};

  EXPECT_EQ(entries(read_hex(test::kSparseBsr)), expected);
}

TEST(Sparse, RefusesDiagonalLayout) {
  EXPECT_THAT(message_of<InvalidInput>([] { read_hex(test::kSparseDia); }).value_or(""),
              HasSubstr("the sparse layout 'dia' is not supported"));
}

TEST(Sparse, RefusesIndicesOutsideTheMatrix) {
  const TemporaryFolder folder;
  put_file(folder / "good.npz", from_hex(test::kSparseCsr));
  const auto error_with = [&](const std::string& member, const Array& value) {
    Arrays arrays = read_npz(folder / "good.npz");
    arrays[member] = value;
    write_npz(folder / "bad.npz", arrays);
    return message_of<InvalidInput>([&] { read_sparse(folder / "bad.npz"); }).value_or("");
  };
  const auto integers = [](const std::vector<std::int64_t>& v) {
    const auto size = static_cast<std::int64_t>(v.size());
    return Array::of(v, {size});
  };
  EXPECT_THAT(error_with("indices", integers({1, 0, 4})),
              HasSubstr("'indices' has 4 at position 2, outside 0..3"));
  EXPECT_THAT(error_with("indices", integers({1, 0, -1})), HasSubstr("-1 at position 2"));
  EXPECT_THAT(error_with("indptr", integers({0, 2, 1, 3})), HasSubstr("'indptr' must be 4 numbers"));
  EXPECT_THAT(error_with("indptr", integers({0, 1, 3})), HasSubstr("'indptr' must be 4 numbers"));
  EXPECT_THAT(error_with("indptr", integers({})), HasSubstr("'indptr' must be 4 numbers"));
  EXPECT_THAT(error_with("data", integers({1, 2})), HasSubstr("do not fit together"));
  EXPECT_THAT(error_with("shape", integers({std::int64_t{1} << 60, 4})), HasSubstr("'indptr' must be"));
  EXPECT_THAT(error_with("shape", integers({3})), HasSubstr("'shape' must be two numbers"));
  EXPECT_THAT(error_with("format", integers({3})), HasSubstr("expected text"));
}

TEST(Sparse, WritesRealAndComplexRowsForScipy) {
  const TemporaryFolder folder;
  const std::vector<std::int64_t> row_ptr{0, 1, 1, 3};
  const std::vector<std::int64_t> col{2, 0, 2};
  const std::vector<std::complex<double>> values{{1, 2}, {1, -2}, 4};
  const auto written = [&](bool real) {
    write_sparse(folder / "m.npz", {row_ptr, col, values, real});
    return read_npz(folder / "m.npz");
  };

  const Arrays arrays = written(false);
  EXPECT_EQ(arrays.at("format").texts, std::vector<std::string>{"csr"});
  EXPECT_THAT(arrays.at("shape").as<std::int64_t>("s"), ElementsAre(3, 3));
  EXPECT_EQ(arrays.at("indptr").dtype, DType::int32);
  EXPECT_THAT(arrays.at("indptr").as<std::int64_t>("p"), ElementsAre(0, 1, 1, 3));
  EXPECT_THAT(arrays.at("indices").as<std::int64_t>("i"), ElementsAre(2, 0, 2));
  EXPECT_THAT(arrays.at("data").as<std::complex<double>>("d"), ElementsAreArray(values));
  EXPECT_EQ(arrays.at("data").dtype, DType::complex128);
  EXPECT_EQ(written(true).at("data").dtype, DType::float64);
  EXPECT_THAT(written(true).at("data").as<double>("d"), ElementsAre(1, 1, 4));
}

RC_GTEST_PROP(SparseProperty, WhatIsWrittenIsRead, ()) {
  const TemporaryFolder folder;
  const auto side = *rc::gen::inRange<std::int64_t>(1, 20);
  const auto cells =
      *rc::gen::container<std::set<std::int64_t>>(rc::gen::inRange<std::int64_t>(0, side * side));
  Entries expected;
  std::vector<std::int64_t> row_ptr(side + 1, 0);
  std::vector<std::int64_t> col;
  std::vector<std::complex<double>> values;
  for (const std::int64_t cell : cells) {
    for (std::int64_t r = cell / side; r < side; ++r) ++row_ptr[r + 1];
    col.push_back(cell % side);
    values.emplace_back(static_cast<double>(cell), 0.25);
    expected[{cell / side, cell % side}] = values.back();
  }

  write_sparse(folder / "m.npz", {row_ptr, col, values, false});

  const SparseMatrix read = read_sparse(folder / "m.npz");
  RC_ASSERT(read.rows == side);
  RC_ASSERT(read.cols == side);
  RC_ASSERT(entries(read) == expected);
}

}  // namespace
}  // namespace dshn::io
