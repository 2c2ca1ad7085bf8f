#include "dshn/data/feature_scale.hpp"

#include <algorithm>
#include <cmath>

#include "dshn/base/parallel.hpp"

namespace dshn::data {
namespace {

constexpr Offset kBand = 16;  // columns that one thread takes

/// Calls visit(column, number) row by row over a band of columns: the matrix is stored by rows, and each
/// column's sum has one fixed order.
template <typename Values, typename Visit>
void for_each_in_band(Values values, Index cols, Offset begin, Offset end, Visit visit) {
  for (std::size_t row = 0; row < values.size(); row += static_cast<std::size_t>(cols))
    for (Offset col = begin; col < end; ++col) visit(col, values[row + static_cast<std::size_t>(col)]);
}

}  // namespace

bool FeatureScale::changes_any() const {
  for (Index col = 0; col < cols(); ++col) {
    if (changes(col)) return true;
  }
  return false;
}

FeatureScale FeatureScale::columns(Index begin, Index end) const {
  return {{centre.begin() + begin, centre.begin() + end},
          {deviation.begin() + begin, deviation.begin() + end}};
}

void FeatureScale::append(const FeatureScale& other) {
  centre.insert(centre.end(), other.centre.begin(), other.centre.end());
  deviation.insert(deviation.end(), other.deviation.begin(), other.deviation.end());
}

FeatureScale scale_of(const Features& features, const std::vector<bool>& wanted) {
  FeatureScale scale = FeatureScale::none(features.cols());
  if (features.rows() == 0 || std::ranges::find(wanted, true) == wanted.end()) return scale;
  const std::vector<float> made = features.sparse() ? features.dense_values() : std::vector<float>();
  const std::span<const float> values = features.sparse() ? made : features.values();
  parallel_for(features.cols(), kBand, [&](Offset begin, Offset end) {
    std::vector<double> mean(features.cols()), square(features.cols());
    for_each_in_band(values, features.cols(), begin, end,
                     [&](Offset col, float value) { mean[col] += value; });
    for (Offset col = begin; col < end; ++col) mean[col] /= features.rows();
    for_each_in_band(values, features.cols(), begin, end, [&](Offset col, float value) {
      const double centred = value - mean[col];
      square[col] += centred * centred;
    });
    for (Offset col = begin; col < end; ++col) {
      if (!wanted[col]) continue;
      const double deviation = std::sqrt(square[col] / features.rows());
      // Rounding leaves a trace of variance in constant columns: it must not be blown up to 1.
      scale.deviation[col] = deviation <= 1e-7 * std::abs(mean[col]) ? 0.0 : deviation;
      scale.centre[col] = mean[col];
    }
  });
  return scale;
}

Features scaled(const Features& features, const FeatureScale& scale) {
  if (!scale.changes_any()) return features;
  std::vector<float> values = features.dense_values();
  parallel_for(features.cols(), kBand, [&](Offset begin, Offset end) {
    for_each_in_band(std::span(values), features.cols(), begin, end, [&](Offset col, float& value) {
      const double deviation = scale.deviation[col];
      if (!scale.changes(static_cast<Index>(col))) return;
      value = deviation == 0 ? 0.0F : static_cast<float>((value - scale.centre[col]) / deviation);
    });
  });
  return {features.rows(), features.cols(), std::move(values)};
}

Features standardised(const Features& features) {
  return scaled(features, scale_of(features, std::vector<bool>(features.cols(), true)));
}

}  // namespace dshn::data
