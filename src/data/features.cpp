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

constexpr std::array<std::string_view, 7> kFeatureNames = {
    "stored", "degree", "role-degrees", "one-hot-degree", "constant", "random", "spectral"};

/// A matrix while it is filled.
struct Draft {
  Index rows;
  Index cols;
  std::vector<float> values;

  Draft(Index row_count, Index col_count)
      : rows(row_count),
        cols(col_count),
        values(static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols), 0.0F) {}
  explicit Draft(const Features& features)
      : rows(features.rows()), cols(features.cols()), values(features.dense_values()) {}

  float& at(Index row, Index col) { return values[static_cast<std::size_t>(row) * cols + col]; }
  Features done() { return {rows, cols, std::move(values)}; }
};

Features degrees(const Hypergraph& hypergraph) {
  Draft out(hypergraph.node_count(), 1);
  for (Index v = 0; v < out.rows; ++v) out.at(v, 0) = static_cast<float>(hypergraph.degree(v));
  return out.done();
}

Features role_degrees(const Hypergraph& hypergraph) {
  Draft out(hypergraph.node_count(), 2);
  for (Index e = 0; e < hypergraph.edge_count(); ++e) {
    for (const Index v : hypergraph.tail(e)) out.at(v, 0) += 1;
    for (const Index v : hypergraph.head(e)) out.at(v, 1) += 1;
  }
  return out.done();
}

Features one_hot_degrees(const Hypergraph& hypergraph, Index limit) {
  if (limit < 0) throw UsageError(fmt::format("one-hot degrees: the limit is {}, expected 0 or more", limit));
  const auto column = [&](Index v) {
    return static_cast<Index>(std::min<Offset>(hypergraph.degree(v), limit));
  };
  Features::Entries ones;
  ones.row_ptr.push_back(0);
  Index last = 0;
  for (Index v = 0; v < hypergraph.node_count(); ++v) {
    last = std::max(last, column(v));
    ones.columns.push_back(column(v));
    ones.row_ptr.push_back(v + 1);
  }
  const Features made(hypergraph.node_count(), last + 1, std::move(ones));
  return made.worth_entries(made.rows()) ? made : Draft(made).done();
}

Features random_columns(const Hypergraph& hypergraph, Index cols, std::uint64_t seed) {
  if (cols < 1) throw UsageError(fmt::format("random features: {} columns, expected 1 or more", cols));
  Draft out(hypergraph.node_count(), cols);
  Random random(seed);
  for (float& value : out.values) value = static_cast<float>(random.normal());
  return out.done();
}

/// One part of the features, not scaled yet.
Features part_of(const Dataset& dataset, FeatureKind kind, const FeatureOptions& options) {
  if (kind == FeatureKind::stored) {
    if (dataset.node_features.cols() > 0) return dataset.node_features;
    throw UsageError(
        fmt::format("{} has no node features of its own; choose degree or another kind", dataset.name));
  }
  if (kind == FeatureKind::spectral) {
    if (options.spectral.cols() > 0) return options.spectral;
    throw UsageError(fmt::format("{}: spectral features were asked for and not given", dataset.name));
  }
  return make_features(dataset.hypergraph, kind, options);
}

/// Whether Scaling::by_kind standardises it: a constant column would become zeros, and spectral ones come with
/// a scale of their own.
bool standardised_by_itself(FeatureKind kind) {
  return kind != FeatureKind::stored && kind != FeatureKind::constant && kind != FeatureKind::spectral;
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

std::vector<std::string> feature_kind_names() {
  return {kFeatureNames.begin(), kFeatureNames.end()};
}

Features make_features(const Hypergraph& hypergraph, FeatureKind kind, const FeatureOptions& options) {
  switch (kind) {
    case FeatureKind::degree:
      return degrees(hypergraph);
    case FeatureKind::role_degrees:
      return role_degrees(hypergraph);
    case FeatureKind::one_hot_degree:
      return one_hot_degrees(hypergraph, options.one_hot_limit);
    case FeatureKind::random:
      return random_columns(hypergraph, options.random_columns, options.seed);
    case FeatureKind::constant:
      return {hypergraph.node_count(), 1, std::vector<float>(hypergraph.node_count(), 1.0F)};
    case FeatureKind::stored:
    case FeatureKind::spectral:
      break;
  }
  throw UsageError(
      fmt::format("{} features cannot be made from a hypergraph alone; choose degree or another kind",
                  feature_kind_name(kind)));
}

Features standardised(const Features& features) {
  Draft out(features);
  // Row by row over a band of columns: the matrix is stored by rows, and each column's sum has one fixed
  // order.
  parallel_for(out.rows == 0 ? 0 : out.cols, 16, [&](std::int64_t begin, std::int64_t end) {
    const auto width = static_cast<std::size_t>(end - begin);
    const auto for_each = [&](auto&& visit) {
      for (Index row = 0; row < out.rows; ++row) {
        float* values = &out.at(row, static_cast<Index>(begin));
        for (std::size_t col = 0; col < width; ++col) visit(col, values[col]);
      }
    };
    std::vector<double> mean(width), deviation(width);
    for_each([&](std::size_t col, float value) { mean[col] += value; });
    for (double& m : mean) m /= out.rows;
    for_each([&](std::size_t col, float value) {
      const double centred = value - mean[col];
      deviation[col] += centred * centred;
    });
    for (double& d : deviation) d = std::sqrt(d / out.rows);
    for_each([&](std::size_t col, float& value) {
      // Rounding leaves a trace of variance in constant columns: it must not be blown up to 1.
      const bool constant = deviation[col] <= 1e-7 * std::abs(mean[col]);
      value = constant ? 0.0F : static_cast<float>((value - mean[col]) / deviation[col]);
    });
  });
  return out.done();
}

Features rows_normalised(const Features& features) {
  Draft out(features);
  for (Index row = 0; row < out.rows; ++row) {
    double sum = 0;
    for (Index col = 0; col < out.cols; ++col) sum += std::abs(out.at(row, col));
    if (sum == 0) continue;
    for (Index col = 0; col < out.cols; ++col) out.at(row, col) = static_cast<float>(out.at(row, col) / sum);
  }
  return out.done().compact();
}

Features choose_features(const Dataset& dataset, const FeatureOptions& options) {
  std::vector<Features> parts;
  for (const FeatureKind kind : options.kinds) {
    const bool scaled = options.scaling == Scaling::by_kind && standardised_by_itself(kind);
    const Features part = part_of(dataset, kind, options);
    parts.push_back(scaled ? standardised(part) : part);
  }
  const Features chosen = side_by_side(parts);
  if (options.scaling == Scaling::standardise) return standardised(chosen);
  if (options.scaling == Scaling::normalise_rows) return rows_normalised(chosen);
  return chosen;
}

FeatureOptions default_features(const Dataset& dataset) {
  FeatureOptions options;
  if (dataset.node_features.cols() > 0) return options;
  const Entry* entry = find_entry(dataset.name);
  const bool listed = entry != nullptr && entry->default_features != FeatureKind::stored;
  options.kinds = {listed ? entry->default_features : FeatureKind::degree};
  return options;
}

}  // namespace dshn::data
