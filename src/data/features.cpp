#include "dshn/data/features.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "dshn/base/error.hpp"
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

Features one_hot_degrees(const Hypergraph& hypergraph, const FeatureOptions& options) {
  const Index limit = options.one_hot_columns ? *options.one_hot_columns - 1 : options.one_hot_limit;
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
  const Features made(hypergraph.node_count(), options.one_hot_columns.value_or(last + 1), std::move(ones));
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

std::vector<std::string> numbered(const std::string& word, Index count) {
  std::vector<std::string> names;
  for (Index j = 0; j < count; ++j) names.push_back(fmt::format("{} {}", word, j));
  return names;
}

std::vector<std::string> names_of_part(const Dataset& dataset, FeatureKind kind,
                                       const FeatureOptions& options) {
  const Index columns = part_of(dataset, kind, options).cols();
  switch (kind) {
    case FeatureKind::stored:
      return dataset.node_feature_names.empty() ? numbered("column", columns) : dataset.node_feature_names;
    case FeatureKind::role_degrees:
      return {"degree as a tail", "degree as a head"};
    case FeatureKind::one_hot_degree:
      return numbered("degree", columns);
    case FeatureKind::degree:
    case FeatureKind::constant:
      return {std::string(feature_kind_name(kind))};
    case FeatureKind::random:
    case FeatureKind::spectral:
      break;
  }
  return numbered(std::string(feature_kind_name(kind)), columns);
}

void scale_to_sum_one(std::span<float> row) {
  double sum = 0;
  for (const float value : row) sum += std::abs(value);
  if (sum == 0) return;
  for (float& value : row) value = static_cast<float>(value / sum);
}

/// Which columns of a part Scaling::by_kind standardises. A constant column would become zeros, spectral ones
/// come with a scale of their own, and stored ones are as their maker wanted them, but for numbers of tables.
std::vector<bool> measured(const Dataset& dataset, FeatureKind kind, Index cols) {
  if (kind == FeatureKind::constant || kind == FeatureKind::spectral) return std::vector<bool>(cols, false);
  if (kind != FeatureKind::stored) return std::vector<bool>(cols, true);
  std::vector<bool> columns;
  for (const ColumnCode& column : dataset.code.node_columns) {
    if (column.numeric()) columns.push_back(true);
    columns.insert(columns.end(), column.words.size() + (column.marks_missing ? 1 : 0), false);
  }
  columns.resize(cols, false);
  return columns;
}

/// The parts as they are, and what scales each.
struct Parts {
  std::vector<Features> features;
  std::vector<FeatureScale> scales;
};

Parts parts_of(const Dataset& dataset, const FeatureOptions& options) {
  Parts parts;
  Index begin = 0;
  for (const FeatureKind kind : options.kinds) {
    parts.features.push_back(part_of(dataset, kind, options));
    const Index cols = parts.features.back().cols();
    if (options.scale && begin + cols > options.scale->cols()) {
      throw InvalidInput(fmt::format("{}: {} columns of features or more; expected {}, as in training",
                                     dataset.name, begin + cols, options.scale->cols()));
    }
    const std::vector<bool> wanted = options.scaling == Scaling::by_kind
                                         ? measured(dataset, kind, cols)
                                         : std::vector<bool>(cols, options.scaling == Scaling::standardise);
    parts.scales.push_back(options.scale ? options.scale->columns(begin, begin + cols)
                                         : scale_of(parts.features.back(), wanted));
    begin += cols;
  }
  if (options.scale && begin != options.scale->cols()) {
    throw InvalidInput(fmt::format("{}: {} columns of features; expected {}, as in training", dataset.name,
                                   begin, options.scale->cols()));
  }
  return parts;
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
      return one_hot_degrees(hypergraph, options);
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

Features rows_normalised(const Features& features) {
  if (!features.sparse()) {
    Draft out(features);
    for (Index row = 0; row < out.rows; ++row)
      scale_to_sum_one(std::span(out.values).subspan(static_cast<std::size_t>(row) * out.cols, out.cols));
    return out.done();
  }
  const auto ptr = features.row_ptr();
  Features::Entries scaled{
      {ptr.begin(), ptr.end()}, {features.columns().begin(), features.columns().end()}, {}};
  scaled.values.assign(features.values().begin(), features.values().end());
  scaled.values.resize(scaled.columns.size(), 1.0F);  // no values: all are 1
  for (Index row = 0; row < features.rows(); ++row)
    scale_to_sum_one(std::span(scaled.values).subspan(ptr[row], ptr[row + 1] - ptr[row]));
  return {features.rows(), features.cols(), std::move(scaled)};
}

FeatureScale feature_scale(const Dataset& dataset, const FeatureOptions& options) {
  FeatureScale scale;
  for (const FeatureScale& part : parts_of(dataset, options).scales) scale.append(part);
  return scale;
}

Features choose_features(const Dataset& dataset, const FeatureOptions& options) {
  Parts parts = parts_of(dataset, options);
  for (std::size_t i = 0; i < parts.features.size(); ++i)
    parts.features[i] = scaled(parts.features[i], parts.scales[i]);
  const Features chosen = side_by_side(parts.features);
  return options.scaling == Scaling::normalise_rows ? rows_normalised(chosen) : chosen;
}

std::vector<std::string> column_names(const Dataset& dataset, const FeatureOptions& options) {
  std::vector<std::string> names;
  for (const FeatureKind kind : options.kinds) {
    const std::vector<std::string> part = names_of_part(dataset, kind, options);
    names.insert(names.end(), part.begin(), part.end());
  }
  return names;
}

FeatureOptions default_features(const Dataset& dataset) {
  FeatureOptions options;
  if (dataset.node_features.cols() > 0) return options;
  const Entry* entry = find_entry(dataset.name);
  if (entry != nullptr && entry->default_features != FeatureKind::stored)
    options.kinds = {entry->default_features};
  else
    options.kinds = {dataset.hypergraph.has_directed_edges() ? FeatureKind::role_degrees
                                                             : FeatureKind::degree};
  return options;
}

}  // namespace dshn::data
