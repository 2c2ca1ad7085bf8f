#pragma once

#include <vector>

#include "dshn/data/feature_matrix.hpp"

namespace dshn::parts {

/// These rows of the features, stored as those are. None of none.
data::Features rows_of(const data::Features& features, const std::vector<Index>& rows);

/// These elements, each a run of `width` in a row; none of none.
template <typename T>
std::vector<T> elements_of(const std::vector<T>& all, const std::vector<Index>& items,
                           std::size_t width = 1) {
  std::vector<T> chosen;
  if (all.empty()) return chosen;
  chosen.reserve(items.size() * width);
  for (const Index item : items) {
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(item) * width);
    chosen.insert(chosen.end(), begin, begin + static_cast<std::ptrdiff_t>(width));
  }
  return chosen;
}

}  // namespace dshn::parts
