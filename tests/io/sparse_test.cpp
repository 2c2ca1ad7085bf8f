#include "dshn/io/sparse.hpp"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <map>

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

TEST(Sparse, RefusesToWriteWhatDoesNotFit) {
  const TemporaryFolder folder;
  const SparseMatrix bad{2, 2, {0, 2}, {0, 1}, Array::of(std::vector<double>{1, 2}, {2})};

  EXPECT_TRUE(message_of<UsageError>([&] { write_sparse(folder / "m.npz", bad); }));

  EXPECT_EQ(test::file_count(folder), 0U);
}

TEST(Sparse, WritesComplexRowsInOrder) {
  const TemporaryFolder folder;
  const SparseMatrix matrix{
      3, 2, {2, 0, 2}, {1, 1, 0}, Array::of(std::vector<std::complex<double>>{{1, 2}, 3, 4}, {3})};

  write_sparse(folder / "m.npz", matrix);

  const Arrays arrays = read_npz(folder / "m.npz");
  EXPECT_THAT(arrays.at("indptr").as<std::int32_t>("p"), ElementsAre(0, 1, 1, 3));
  EXPECT_THAT(arrays.at("indices").as<std::int32_t>("i"), ElementsAre(1, 0, 1));
  EXPECT_EQ(arrays.at("data").dtype, DType::complex128);
  EXPECT_EQ(entries(read_sparse(folder / "m.npz")), entries(matrix));
}

RC_GTEST_PROP(SparseProperty, WhatIsWrittenIsRead, ()) {
  const TemporaryFolder folder;
  SparseMatrix matrix;
  matrix.rows = *rc::gen::inRange(1, 20);
  matrix.cols = *rc::gen::inRange(1, 20);
  const auto cells = *rc::gen::unique<std::vector<std::int64_t>>(
      rc::gen::inRange<std::int64_t>(0, matrix.rows * matrix.cols));
  std::vector<double> values;
  for (const std::int64_t cell : cells) {
    matrix.row.push_back(cell / matrix.cols);
    matrix.col.push_back(cell % matrix.cols);
    values.push_back(static_cast<double>(cell) + 0.25);
  }
  matrix.values = Array::of(values, {static_cast<std::int64_t>(values.size())});

  write_sparse(folder / "m.npz", matrix);

  const SparseMatrix read = read_sparse(folder / "m.npz");
  RC_ASSERT(read.rows == matrix.rows);
  RC_ASSERT(read.cols == matrix.cols);
  RC_ASSERT(entries(read) == entries(matrix));
}

}  // namespace
}  // namespace dshn::io
