#include "parts/rows.hpp"

#include <utility>

namespace dshn::parts {
namespace {

data::Features dense_rows(const data::Features& features, const std::vector<Index>& rows) {
  const auto cols = static_cast<std::size_t>(features.cols());
  std::vector<float> values;
  values.reserve(rows.size() * cols);
  for (const Index row : rows) {
    const auto from = features.values().subspan(static_cast<std::size_t>(row) * cols, cols);
    values.insert(values.end(), from.begin(), from.end());
  }
  return {static_cast<Index>(rows.size()), features.cols(), std::move(values)};
}

data::Features sparse_rows(const data::Features& features, const std::vector<Index>& rows) {
  data::Features::Entries entries;
  entries.row_ptr.reserve(rows.size() + 1);
  entries.row_ptr.push_back(0);
  for (const Index row : rows) {
    for (Offset i = features.row_ptr()[row]; i < features.row_ptr()[row + 1]; ++i) {
      entries.columns.push_back(features.columns()[i]);
      if (!features.values().empty()) entries.values.push_back(features.values()[i]);
    }
    entries.row_ptr.push_back(static_cast<Offset>(entries.columns.size()));
  }
  return {static_cast<Index>(rows.size()), features.cols(), std::move(entries)};
}

}  // namespace

data::Features rows_of(const data::Features& features, const std::vector<Index>& rows) {
  if (features.cols() == 0) return {};
  return features.sparse() ? sparse_rows(features, rows) : dense_rows(features, rows);
}

}  // namespace dshn::parts
