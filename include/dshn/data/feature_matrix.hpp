#pragma once

#include <memory>
#include <span>
#include <vector>

#include "dshn/hypergraph/hypergraph.hpp"

namespace dshn::data {

/// A number for each node (or hyperedge) and column. Stored by rows, or by the entries that are not 0 where
/// these are few. A handle: copies share the numbers, which never change.
class Features {
 public:
  /// Row r has the entries row_ptr[r] .. row_ptr[r+1), in ascending columns. No values: all are 1.
  struct Entries {
    std::vector<Offset> row_ptr;
    std::vector<Index> columns;
    std::vector<float> values;
  };

  /// The same in memory that somebody keeps.
  struct EntryViews {
    std::span<const Offset> row_ptr;
    std::span<const Index> columns;
    std::span<const float> values;
  };

  /// None: no columns.
  Features() = default;
  Features(Index rows, Index cols, std::vector<float> values);
  Features(Index rows, Index cols, Entries entries);
  /// On memory that the owner keeps: rows * cols numbers, not copied.
  Features(Index rows, Index cols, std::span<const float> values, std::shared_ptr<const void> owner)
      : rows_(rows), cols_(cols), values_(values), owner_(std::move(owner)) {}
  Features(Index rows, Index cols, const EntryViews& entries, std::shared_ptr<const void> owner)
      : rows_(rows),
        cols_(cols),
        sparse_(true),
        values_(entries.values),
        row_ptr_(entries.row_ptr),
        columns_(entries.columns),
        owner_(std::move(owner)) {}

  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  bool sparse() const { return sparse_; }
  /// rows * cols numbers, row after row; of a sparse matrix one for each entry, or none where all are 1.
  std::span<const float> values() const { return values_; }
  /// Of a sparse matrix.
  std::span<const Offset> row_ptr() const { return row_ptr_; }
  std::span<const Index> columns() const { return columns_; }
  /// Keeps the numbers where they are as long as it lives.
  const std::shared_ptr<const void>& owner() const { return owner_; }
  std::size_t memory_bytes() const {
    return values_.size_bytes() + row_ptr_.size_bytes() + columns_.size_bytes();
  }

  /// All rows * cols numbers.
  std::vector<float> dense_values() const;
  /// By entries where products with them are faster than dense ones: with many columns and few entries.
  Features compact() const;
  bool worth_entries(Offset entries) const;

  /// The same numbers, however they are stored.
  bool operator==(const Features& other) const;

 private:
  Index rows_ = 0;
  Index cols_ = 0;
  bool sparse_ = false;
  std::span<const float> values_;
  std::span<const Offset> row_ptr_;
  std::span<const Index> columns_;
  std::shared_ptr<const void> owner_;
};

/// The columns of all parts, in their order; by entries where a part is and that is worth it. The parts have the
/// same number of rows. One part alone is not copied.
Features side_by_side(std::span<const Features> parts);

}  // namespace dshn::data
