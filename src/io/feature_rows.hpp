#pragma once

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "dshn/hypergraph/hypergraph.hpp"
#include "dshn/io/array.hpp"
#include "dshn/io/table.hpp"

namespace dshn::io {

/// The number that fills the text; `what` says in the message what it should have been.
template <typename T>
T number_in(const Table& table, std::int64_t line, std::string_view text, const char* what) {
  T value{};
  if (!parse_number(text, value)) table.fail(line, fmt::format("'{}' is not {}", text, what));
  return value;
}

/// Rows of equal length that arrive one at a time.
class FeatureRows {
 public:
  void add(const Table& table, std::int64_t line, const std::vector<std::string_view>& fields) {
    if (rows_ == 0) width_ = fields.size();
    if (fields.size() != width_) {
      table.fail(line, fmt::format("{} features, but the rows before have {}", fields.size(), width_));
    }
    for (const std::string_view field : fields) {
      values_.push_back(number_in<float>(table, line, field, "a feature (a number)"));
    }
    ++rows_;
  }
  std::size_t rows() const { return rows_; }

  /// Row `order[i]` becomes row i.
  Array array(const std::vector<Index>& order) const {
    std::vector<float> sorted;
    sorted.reserve(values_.size());
    for (const Index row : order) {
      const auto begin = values_.begin() + static_cast<std::ptrdiff_t>(row * width_);
      sorted.insert(sorted.end(), begin, begin + static_cast<std::ptrdiff_t>(width_));
    }
    return Array::of(sorted, {static_cast<std::int64_t>(rows_), static_cast<std::int64_t>(width_)});
  }

 private:
  std::vector<float> values_;
  std::size_t rows_ = 0;
  std::size_t width_ = 0;
};

}  // namespace dshn::io
