#include "dshn/data/feature_matrix.hpp"

#include <algorithm>

namespace dshn::data {
namespace {

/// A BLAS multiplies some ten times as many numbers a second as can be gathered.
constexpr Index kFewestColumns = 64;
constexpr Offset kOneEntryIn = 12;

}  // namespace

Features::Features(Index rows, Index cols, std::vector<float> values) : rows_(rows), cols_(cols) {
  const auto kept = std::make_shared<const std::vector<float>>(std::move(values));
  values_ = *kept;
  owner_ = kept;
}

Features::Features(Index rows, Index cols, Entries entries) : rows_(rows), cols_(cols), sparse_(true) {
  const auto kept = std::make_shared<const Entries>(std::move(entries));
  values_ = kept->values;
  row_ptr_ = kept->row_ptr;
  columns_ = kept->columns;
  owner_ = kept;
}

bool Features::worth_entries(Offset entries) const {
  return cols_ >= kFewestColumns && entries * kOneEntryIn <= static_cast<Offset>(rows_) * cols_;
}

std::vector<float> Features::dense_values() const {
  if (!sparse_) return {values_.begin(), values_.end()};
  std::vector<float> dense(static_cast<std::size_t>(rows_) * static_cast<std::size_t>(cols_), 0.0F);
  for (Offset row = 0; row < rows_; ++row) {
    for (Offset i = row_ptr_[row]; i < row_ptr_[row + 1]; ++i)
      dense[row * cols_ + columns_[i]] = values_.empty() ? 1.0F : values_[i];
  }
  return dense;
}

Features Features::compact() const {
  if (sparse_ || cols_ < kFewestColumns) return *this;
  const auto zeros = std::count(values_.begin(), values_.end(), 0.0F);
  const Offset entries = static_cast<Offset>(values_.size()) - zeros;
  if (!worth_entries(entries)) return *this;
  Entries found;
  found.row_ptr.reserve(rows_ + 1);
  found.columns.reserve(entries);
  found.values.reserve(entries);
  found.row_ptr.push_back(0);
  for (Offset row = 0; row < rows_; ++row) {
    for (Index col = 0; col < cols_; ++col) {
      const float value = values_[row * cols_ + col];
      if (value == 0.0F) continue;
      found.columns.push_back(col);
      found.values.push_back(value);
    }
    found.row_ptr.push_back(static_cast<Offset>(found.columns.size()));
  }
  if (std::ranges::all_of(found.values, [](float value) { return value == 1.0F; })) found.values = {};
  return {rows_, cols_, std::move(found)};
}

bool Features::operator==(const Features& other) const {
  return rows_ == other.rows_ && cols_ == other.cols_ &&
         (owner_ == other.owner_ || dense_values() == other.dense_values());
}

}  // namespace dshn::data
