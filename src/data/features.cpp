#include "dshn/data/features.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "dshn/base/error.hpp"
#include "dshn/base/parallel.hpp"
#include "dshn/base/random.hpp"

namespace dshn::data {
namespace {

constexpr std::array<std::string_view, 6> kFeatureNames = {"stored",         "degree",   "role-degrees",
                                                           "one-hot-degree", "constant", "random"};

Features blank(Index rows, Index cols) {
  return {rows, cols,
          std::vector<float>(static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols), 0.0F)};
}

float& at(Features& features, Index row, Index col) {
  return features.values[static_cast<std::size_t>(row) * static_cast<std::size_t>(features.cols) +
                         static_cast<std::size_t>(col)];
}

Features degrees(const Hypergraph& hypergraph) {
  Features out = blank(hypergraph.node_count(), 1);
  for (Index v = 0; v < out.rows; ++v) at(out, v, 0) = static_cast<float>(hypergraph.degree(v));
  return out;
}

Features role_degrees(const Hypergraph& hypergraph) {
  Features out = blank(hypergraph.node_count(), 2);
  for (Index e = 0; e < hypergraph.edge_count(); ++e) {
    for (const Index v : hypergraph.tail(e)) at(out, v, 0) += 1;
    for (const Index v : hypergraph.head(e)) at(out, v, 1) += 1;
  }
  return out;
}

Features one_hot_degrees(const Hypergraph& hypergraph, Index limit) {
  if (limit < 0) throw UsageError(fmt::format("one-hot degrees: the limit is {}, expected 0 or more", limit));
  const auto column = [&](Index v) {
    return static_cast<Index>(std::min<Offset>(hypergraph.degree(v), limit));
  };
  Index last = 0;
  for (Index v = 0; v < hypergraph.node_count(); ++v) last = std::max(last, column(v));
  Features out = blank(hypergraph.node_count(), last + 1);
  for (Index v = 0; v < out.rows; ++v) at(out, v, column(v)) = 1;
  return out;
}

Features random_columns(const Hypergraph& hypergraph, Index cols, std::uint64_t seed) {
  if (cols < 1) throw UsageError(fmt::format("random features: {} columns, expected 1 or more", cols));
  Features out = blank(hypergraph.node_count(), cols);
  Random random(seed);
  for (float& value : out.values) value = static_cast<float>(random.normal());
  return out;
}

Features beside(const Features& left, const Features& right) {
  Features out = blank(right.rows, left.cols + right.cols);
  for (Index row = 0; row < out.rows; ++row) {
    const auto copy_row = [&](const Features& from, Index shift) {
      const auto begin = from.values.begin() + static_cast<std::ptrdiff_t>(row) * from.cols;
      std::copy(begin, begin + from.cols, &at(out, row, shift));
    };
    if (left.cols > 0) copy_row(left, 0);
    if (right.cols > 0) copy_row(right, left.cols);
  }
  return out;
}

}  // namespace

FeatureKind feature_kind(std::string_view text) {
  const auto found = std::ranges::find(kFeatureNames, text);
  if (found == kFeatureNames.end()) {
    throw UsageError(
        fmt::format("unknown kind of features \"{}\"; known are {}", text, fmt::join(kFeatureNames, ", ")));
  }
  return static_cast<FeatureKind>(found - kFeatureNames.begin());
}

std::string_view feature_kind_name(FeatureKind kind) {
  return kFeatureNames[static_cast<std::size_t>(kind)];
}

Features make_features(const Hypergraph& hypergraph, const FeatureOptions& options) {
  switch (options.kind) {
    case FeatureKind::degree:
      return degrees(hypergraph);
    case FeatureKind::role_degrees:
      return role_degrees(hypergraph);
    case FeatureKind::one_hot_degree:
      return one_hot_degrees(hypergraph, options.one_hot_limit);
    case FeatureKind::random:
      return random_columns(hypergraph, options.random_columns, options.seed);
    case FeatureKind::constant: {
      Features ones = blank(hypergraph.node_count(), 1);
      std::ranges::fill(ones.values, 1.0F);
      return ones;
    }
    case FeatureKind::stored:
      break;
  }
  throw UsageError("stored features cannot be made from a hypergraph; choose degree or another kind");
}

void standardise(Features& features) {
  if (features.rows == 0) return;
  // Row by row over a band of columns: the matrix is stored by rows, and each column's sum has one fixed
  // order.
  parallel_for(features.cols, 16, [&](std::int64_t begin, std::int64_t end) {
    const auto width = static_cast<std::size_t>(end - begin);
    const auto for_each = [&](auto&& visit) {
      for (Index row = 0; row < features.rows; ++row) {
        float* values = &at(features, row, static_cast<Index>(begin));
        for (std::size_t col = 0; col < width; ++col) visit(col, values[col]);
      }
    };
    std::vector<double> mean(width), deviation(width);
    for_each([&](std::size_t col, float value) { mean[col] += value; });
    for (double& m : mean) m /= features.rows;
    for_each([&](std::size_t col, float value) {
      const double centred = value - mean[col];
      deviation[col] += centred * centred;
    });
    for (double& d : deviation) d = std::sqrt(d / features.rows);
    for_each([&](std::size_t col, float& value) {
      // Rounding leaves a trace of variance in constant columns: it must not be blown up to 1.
      const bool constant = deviation[col] <= 1e-7 * std::abs(mean[col]);
      value = constant ? 0.0F : static_cast<float>((value - mean[col]) / deviation[col]);
    });
  });
}

void normalise_rows(Features& features) {
  for (Index row = 0; row < features.rows; ++row) {
    double sum = 0;
    for (Index col = 0; col < features.cols; ++col) sum += std::abs(at(features, row, col));
    if (sum == 0) continue;
    for (Index col = 0; col < features.cols; ++col) {
      at(features, row, col) = static_cast<float>(at(features, row, col) / sum);
    }
  }
}

void apply_features(Dataset& dataset, const FeatureOptions& options) {
  if (options.kind == FeatureKind::stored) {
    if (dataset.node_features.cols == 0) {
      throw UsageError(
          fmt::format("{} has no node features of its own; choose degree or another kind", dataset.name));
    }
  } else {
    Features made = make_features(dataset.hypergraph, options);
    dataset.node_features = options.append ? beside(dataset.node_features, made) : std::move(made);
  }
  if (options.scaling == Scaling::standardise) standardise(dataset.node_features);
  if (options.scaling == Scaling::normalise_rows) normalise_rows(dataset.node_features);
}

FeatureOptions default_features(const Dataset& dataset) {
  FeatureOptions options;
  if (dataset.node_features.cols > 0) return options;
  const Entry* entry = find_entry(dataset.name);
  const bool listed = entry != nullptr && entry->default_features != FeatureKind::stored;
  options.kind = listed ? entry->default_features : FeatureKind::degree;
  return options;
}

}  // namespace dshn::data
