#include "dshn/io/sparse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>

#include "dshn/base/error.hpp"
#include "dshn/io/npz.hpp"

namespace dshn::io {
namespace {

using Integers = std::vector<std::int64_t>;

constexpr std::int64_t kMostExtent = std::int64_t{1} << 62;

/// The members of one archive, with messages that name file and member.
class Members {
 public:
  explicit Members(const std::filesystem::path& path) : path_(path), arrays_(read_npz(path)) {}

  [[noreturn]] void fail(const std::string& message) const {
    throw InvalidInput(fmt::format("{}: {}", path_.string(), message));
  }

  const Array& get(const std::string& name) const {
    const auto found = arrays_.find(name);
    if (found == arrays_.end())
      fail(fmt::format("a sparse matrix needs the array '{}', which is missing", name));
    return found->second;
  }

  std::string what(const std::string& name) const {
    return fmt::format("{}, member '{}'", path_.string(), name);
  }

  Integers integers(const std::string& name) const {
    const Array& array = get(name);
    if (array.shape.size() != 1) {
      fail(fmt::format("'{}' has shape {}; expected one dimension", name, shape_text(array.shape)));
    }
    return array.as<std::int64_t>(what(name));
  }

  std::string layout() const {
    const std::vector<std::string> text = get("format").as<std::string>(what("format"));
    if (text.size() != 1) fail("'format' must be one word");
    return text[0];
  }

 private:
  std::filesystem::path path_;
  Arrays arrays_;
};

void check_indices(const Members& members, const std::string& name, const Integers& values,
                   std::int64_t limit) {
  const auto bad =
      std::find_if(values.begin(), values.end(), [limit](std::int64_t v) { return v < 0 || v >= limit; });
  if (bad == values.end()) return;
  members.fail(
      fmt::format("'{}' has {} at position {}, outside 0..{}", name, *bad, bad - values.begin(), limit - 1));
}

/// Expands indptr: the number of the compressed line of each entry.
Integers expand_lines(const Members& members, std::int64_t lines, std::size_t entries) {
  const Integers ptr = members.integers("indptr");
  const bool fits = static_cast<std::int64_t>(ptr.size()) == lines + 1 && ptr.front() == 0 &&
                    ptr.back() == static_cast<std::int64_t>(entries) &&
                    std::is_sorted(ptr.begin(), ptr.end());
  if (!fits) {
    members.fail(fmt::format("'indptr' must be {} numbers that rise from 0 to {}, the number of indices",
                             lines + 1, entries));
  }
  Integers line(entries);
  for (std::int64_t i = 0; i < lines; ++i) std::fill(line.begin() + ptr[i], line.begin() + ptr[i + 1], i);
  return line;
}

void read_compressed(const Members& members, bool by_row, SparseMatrix& matrix) {
  Integers inner = members.integers("indices");
  Integers outer = expand_lines(members, by_row ? matrix.rows : matrix.cols, inner.size());
  check_indices(members, "indices", inner, by_row ? matrix.cols : matrix.rows);
  if (!by_row) std::swap(inner, outer);
  matrix.row = std::move(outer);
  matrix.col = std::move(inner);
}

/// Blocks of h x w numbers, compressed by block row.
void read_blocks(const Members& members, SparseMatrix& matrix) {
  const Integers inner = members.integers("indices");
  const auto blocks = static_cast<std::int64_t>(inner.size());
  const std::vector<std::int64_t> shape = matrix.values.shape;
  if (shape.size() != 3 || shape[0] != blocks || shape[1] < 1 || shape[2] < 1 ||
      matrix.rows % shape[1] != 0 || matrix.cols % shape[2] != 0) {
    members.fail(fmt::format("'data' of shape {} does not hold {} blocks of a {} x {} matrix",
                             shape_text(shape), blocks, matrix.rows, matrix.cols));
  }
  const Integers outer = expand_lines(members, matrix.rows / shape[1], inner.size());
  check_indices(members, "indices", inner, matrix.cols / shape[2]);
  for (std::int64_t b = 0; b < blocks; ++b) {
    for (std::int64_t i = 0; i < shape[1] * shape[2]; ++i) {
      matrix.row.push_back(outer[b] * shape[1] + i / shape[2]);
      matrix.col.push_back(inner[b] * shape[2] + i % shape[2]);
    }
  }
  matrix.values.shape = {matrix.values.size()};
}

Array index_array(std::span<const std::int64_t> values, std::int64_t largest) {
  const std::int64_t size = std::ssize(values);
  if (largest > std::numeric_limits<std::int32_t>::max())
    return Array::of(Integers(values.begin(), values.end()), {size});
  return Array::of(std::vector<std::int32_t>(values.begin(), values.end()), {size});
}

Array value_array(const HermitianRows& matrix) {
  const std::int64_t size = std::ssize(matrix.values);
  if (!matrix.real) return Array::of(std::vector(matrix.values.begin(), matrix.values.end()), {size});
  std::vector<double> values(matrix.values.size());
  std::ranges::transform(matrix.values, values.begin(), [](const auto& value) { return value.real(); });
  return Array::of(values, {size});
}

}  // namespace

SparseMatrix read_sparse(const std::filesystem::path& path) {
  const Members members(path);
  const std::string layout = members.layout();
  const Integers shape = members.integers("shape");
  const auto legal = [](std::int64_t extent) { return extent >= 0 && extent <= kMostExtent; };
  if (shape.size() != 2 || !legal(shape[0]) || !legal(shape[1])) {
    members.fail("'shape' must be two numbers between 0 and 2^62");
  }
  SparseMatrix matrix{shape[0], shape[1], {}, {}, members.get("data")};
  if (matrix.values.dtype == DType::text) members.fail("'data' holds text; expected numbers");
  if (layout == "coo") {
    matrix.row = members.integers("row");
    matrix.col = members.integers("col");
    check_indices(members, "row", matrix.row, matrix.rows);
    check_indices(members, "col", matrix.col, matrix.cols);
  } else if (layout == "csr" || layout == "csc") {
    read_compressed(members, layout == "csr", matrix);
  } else if (layout == "bsr") {
    read_blocks(members, matrix);
  } else {
    members.fail(
        fmt::format("the sparse layout '{}' is not supported; save the matrix as coo, csr, csc or bsr "
                    "(e.g. with .tocsr())",
                    layout));
  }
  const bool fits = matrix.row.size() == matrix.col.size() &&
                    matrix.values.shape == Integers{static_cast<std::int64_t>(matrix.row.size())};
  if (!fits) {
    members.fail(fmt::format("{} row indices, {} column indices and data of shape {} do not fit together",
                             matrix.row.size(), matrix.col.size(), shape_text(matrix.values.shape)));
  }
  return matrix;
}

void write_sparse(const std::filesystem::path& path, const HermitianRows& matrix) {
  const std::int64_t dimension = std::ssize(matrix.row_ptr) - 1;
  const std::int64_t largest = std::max<std::int64_t>(dimension, std::ssize(matrix.col));
  write_npz(path, {{"format", Array::of(std::vector<std::string>{"csr"}, {})},
                   {"shape", Array::of(Integers{dimension, dimension}, {2})},
                   {"indptr", index_array(matrix.row_ptr, largest)},
                   {"indices", index_array(matrix.col, largest)},
                   {"data", value_array(matrix)}});
}

}  // namespace dshn::io
