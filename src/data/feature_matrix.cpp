#include "dshn/data/feature_matrix.hpp"

#include <algorithm>

namespace dshn::data {
namespace {

/// A BLAS multiplies some ten times as many numbers a second as can be gathered.
constexpr Index kFewestColumns = 64;
constexpr Offset kOneEntryIn = 12;

Offset entries_of(const Features& features) {
  if (features.sparse()) return static_cast<Offset>(features.columns().size());
  const auto zeros = std::count(features.values().begin(), features.values().end(), 0.0F);
  return static_cast<Offset>(features.values().size()) - zeros;
}

/// A matrix by entries while it grows, row after row.
class EntriesDraft {
 public:
  EntriesDraft(Index rows, Offset entries) {
    entries_.row_ptr.reserve(static_cast<std::size_t>(rows) + 1);
    entries_.columns.reserve(entries);
    entries_.values.reserve(entries);
    entries_.row_ptr.push_back(0);
  }

  void add_row(const Features& part, Offset row, Index shift) {
    if (!part.sparse()) {
      const auto values = part.values().subspan(row * part.cols(), part.cols());
      for (Index col = 0; col < part.cols(); ++col)
        if (values[col] != 0.0F) add(shift + col, values[col]);
      return;
    }
    for (Offset i = part.row_ptr()[row]; i < part.row_ptr()[row + 1]; ++i)
      add(shift + part.columns()[i], part.values().empty() ? 1.0F : part.values()[i]);
  }
  void end_row() { entries_.row_ptr.push_back(static_cast<Offset>(entries_.columns.size())); }

  Features::Entries done() {
    if (std::ranges::all_of(entries_.values, [](float value) { return value == 1.0F; })) entries_.values = {};
    return std::move(entries_);
  }

 private:
  void add(Index col, float value) {
    entries_.columns.push_back(col);
    entries_.values.push_back(value);
  }

  Features::Entries entries_;
};

/// All numbers of the parts, whose columns add up to cols.
Features dense_side_by_side(std::span<const Features> parts, Index cols) {
  const Index rows = parts.front().rows();
  std::vector<float> all(static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols));
  Index shift = 0;
  for (const Features& part : parts) {
    const std::vector<float> from = part.dense_values();
    for (Offset row = 0; row < rows; ++row)
      std::copy_n(from.begin() + row * part.cols(), part.cols(), all.begin() + row * cols + shift);
    shift += part.cols();
  }
  return {rows, cols, std::move(all)};
}

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
  const Offset entries = entries_of(*this);
  if (!worth_entries(entries)) return *this;
  EntriesDraft found(rows_, entries);
  for (Offset row = 0; row < rows_; ++row) {
    found.add_row(*this, row, 0);
    found.end_row();
  }
  return {rows_, cols_, found.done()};
}

bool Features::operator==(const Features& other) const {
  return rows_ == other.rows_ && cols_ == other.cols_ &&
         (owner_ == other.owner_ || dense_values() == other.dense_values());
}

Features side_by_side(std::span<const Features> parts) {
  if (parts.empty()) return {};
  if (parts.size() == 1) return parts.front();
  Index cols = 0;
  Offset entries = 0;
  for (const Features& part : parts) {
    cols += part.cols();
    entries += entries_of(part);
  }
  const Index rows = parts.front().rows();
  if (!Features(rows, cols, std::vector<float>()).worth_entries(entries))
    return dense_side_by_side(parts, cols);
  EntriesDraft found(rows, entries);
  for (Offset row = 0; row < rows; ++row) {
    Index shift = 0;
    for (const Features& part : parts) {
      found.add_row(part, row, shift);
      shift += part.cols();
    }
    found.end_row();
  }
  return {rows, cols, found.done()};
}

}  // namespace dshn::data
