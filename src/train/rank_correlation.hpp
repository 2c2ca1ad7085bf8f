#pragma once

#include <optional>
#include <span>

namespace dshn::train {

/// Spearman's: the correlation of the ranks, equal numbers sharing the mean of theirs. None for fewer than three
/// pairs, and where the numbers of a side are all equal.
std::optional<double> rank_correlation(std::span<const double> a, std::span<const double> b);

}  // namespace dshn::train
