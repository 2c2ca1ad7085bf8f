#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "dshn/nn/step.hpp"
#include "dshn/ops/incidence.hpp"

namespace dshn::nn {

/// The features of nodes as a model's first product takes them: a dense matrix, or the entries that are not 0
/// where these are few (counts of words, say), so that a product costs what its entries cost.
///
/// Entries are kept as hyperedges whose members are columns: the segment operators multiply with them.
class FeatureRows {
 public:
  FeatureRows() = default;
  /// Not explicit: a tensor [rows, columns] of features is such a matrix.
  FeatureRows(at::Tensor dense);  // NOLINT(google-explicit-constructor)
  /// Row r has the entries row_ptr[r] .. row_ptr[r+1) (Long), in ascending `columns` (Int). `values` may be
  /// undefined: all are 1, and `type` is their type.
  FeatureRows(const at::Tensor& row_ptr, const at::Tensor& columns, at::Tensor values, at::ScalarType type,
              std::int64_t column_count);
  /// The entries of a dense matrix that are not 0.
  static FeatureRows by_entries(const at::Tensor& dense);

  std::int64_t size(std::int64_t dimension) const { return dimension == 0 ? rows_ : columns_; }
  /// Of the matrix, zeros included.
  std::int64_t numel() const { return rows_ * columns_; }
  /// How many numbers a product reads.
  std::int64_t entries() const { return sparse() ? entries_->incidence.incidences() : numel(); }
  at::ScalarType scalar_type() const { return c10::typeMetaToScalarType(options_.dtype()); }
  at::Device device() const { return options_.device(); }
  /// Of tensors that are to be beside it.
  at::TensorOptions options() const { return options_; }
  bool sparse() const { return entries_ != nullptr; }

  /// The matrix with all its zeros: made here where it is sparse, so models ask for it in prepare().
  at::Tensor dense() const { return dense_on(options_); }
  /// On a GPU it becomes dense where that is faster there.
  FeatureRows to(const at::Device& device, at::ScalarType type) const;

  /// Some rows (Long), in that order, beside the matrix: a sparse one stays sparse.
  FeatureRows select(const at::Tensor& rows) const;

  /// Whether a gradient in the numbers that are stored is asked for.
  bool requires_grad() const;
  /// The numbers that are stored: the matrix or, by row, the entries.
  at::Tensor values() const;
  /// Others in their places. They may require a gradient.
  FeatureRows with_values(const at::Tensor& values) const;
  /// Of one row: where its numbers begin in values(), all dimensions taken as one, and their columns.
  struct Row {
    std::int64_t begin = 0;
    std::vector<std::int64_t> columns;
  };
  Row row(std::int64_t r) const;

  /// linear_rows(step.drop(x, dropout), weight, bias); differentiable in weight, bias and values(). The mask is
  /// the same however the matrix is stored.
  at::Tensor linear(const at::Tensor& weight, const at::Tensor& bias, const Step& step, double dropout) const;

 private:
  struct Entries {
    ops::Incidence incidence;
    at::Tensor values;  // by row; undefined where all are 1
    std::once_flag numbered;
    at::Tensor numbers;
    std::once_flag numbered_in_whole;
    at::Tensor numbers_in_whole;
  };

  FeatureRows(ops::Incidence incidence, at::Tensor values, at::ScalarType type);
  at::Tensor dense_on(const at::TensorOptions& options) const;
  /// Of the entries in the dense matrix, by which masks are drawn.
  const at::Tensor& numbers() const;
  /// The same where the rows are some of a larger matrix, the same ones in every call.
  const at::Tensor& numbers(const at::Tensor& rows_in_whole) const;

  std::int64_t rows_ = 0;
  std::int64_t columns_ = 0;
  at::TensorOptions options_;
  at::Tensor dense_;
  std::shared_ptr<Entries> entries_;
};

}  // namespace dshn::nn
