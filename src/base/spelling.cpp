#include "dshn/base/spelling.hpp"

#include <algorithm>
#include <utility>

namespace dshn {
namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// Insertions, deletions, substitutions and swaps of neighbours cost 1; case costs nothing.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        cost[i][j] = i + j;
        continue;
      }
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      cost[i][j] = std::min({cost[i - 1][j - 1] + (same ? 0 : 1), cost[i - 1][j] + 1, cost[i][j - 1] + 1});
      const bool swapped =
          i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
    }
  }
  return cost[a.size()][b.size()];
}

}  // namespace

std::vector<std::string> nearest_few(std::string_view word, const std::vector<std::string>& choices,
                                     std::size_t most) {
  const std::size_t farthest = std::max<std::size_t>(2, word.size() / 3);
  std::vector<std::pair<std::size_t, std::size_t>> close;  // distance and place
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const std::size_t lengths =
        std::max(word.size(), choices[i].size()) - std::min(word.size(), choices[i].size());
    if (lengths > farthest) continue;  // the distance is no less
    if (const std::size_t distance = edit_distance(word, choices[i]); distance <= farthest)
      close.emplace_back(distance, i);
  }
  std::sort(close.begin(), close.end());
  close.resize(std::min(close.size(), most));
  std::vector<std::string> words;
  for (const auto& [distance, i] : close) words.push_back(choices[i]);
  return words;
}

std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& choices) {
  const std::vector<std::string> close = nearest_few(word, choices, 1);
  return close.empty() ? std::nullopt : std::optional(close.front());
}

}  // namespace dshn
