#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dshn/data/dataset.hpp"
#include "dshn/data/feature_scale.hpp"
#include "dshn/data/registry.hpp"

namespace dshn::data {

enum class Scaling : std::uint8_t {
  none,
  standardise,     ///< each column to mean 0 and variance 1 over all nodes; a constant column becomes 0
  normalise_rows,  ///< each row to absolute sum 1; a row of zeros stays
  by_kind,  ///< degrees of all kinds, random columns and numbers of tables are standardised; the rest stays
};

struct FeatureOptions {
  /// Parts of the features, side by side in this order.
  std::vector<FeatureKind> kinds = {FeatureKind::stored};
  /// Of all parts together, or of each part where it is by_kind.
  Scaling scaling = Scaling::none;
  /// Columns of FeatureKind::random.
  Index random_columns = 16;
  std::uint64_t seed = 0;
  /// One-hot degrees: the last column stands for this degree and all above it.
  Index one_hot_limit = 255;
  /// Exactly so many columns of one-hot degrees, as a model was trained with; else as many as there are degrees.
  std::optional<Index> one_hot_columns{};
  /// The scale that a model was trained with, of all parts side by side; else that of this data set.
  std::optional<FeatureScale> scale{};
  /// The columns of FeatureKind::spectral. They need an operator, so they are made elsewhere.
  Features spectral{};
};

/// Parses "stored", "degree", "role-degrees", "one-hot-degree", "constant", "random" or "spectral"; else
/// UsageError.
FeatureKind feature_kind(std::string_view text);
std::string_view feature_kind_name(FeatureKind kind);
/// The names of all kinds.
std::vector<std::string> feature_kind_names();

/// Features made from the hypergraph alone:
///  - degree: one column, the number of hyperedges of the node: the paper's choice where a set has no features;
///  - role_degrees: two columns, in how many hyperedges the node is a tail and a head;
///  - one_hot_degree: a column per degree from 0 to the largest one, or to one_hot_limit;
///  - constant: one column of ones;
///  - random: standard normal, random_columns of them, by seed.
/// On the synthetic benchmark, one-hot and role degrees give the classes away. UsageError for other kinds.
Features make_features(const Hypergraph& hypergraph, FeatureKind kind, const FeatureOptions& options = {});

/// Scaling::normalise_rows. Entries stay entries.
Features rows_normalised(const Features& features);

/// How choose_features scales the columns of this data set.
FeatureScale feature_scale(const Dataset& dataset, const FeatureOptions& options);

/// The node features that the options ask for; stored ones without scaling are the data set's own, not copied.
/// UsageError where stored or spectral features are asked for and there are none, InvalidInput where a given
/// scale is of another number of columns.
Features choose_features(const Dataset& dataset, const FeatureOptions& options);

/// A name for each of these columns: the data set's own for stored ones where it has names, else by kind and number.
std::vector<std::string> column_names(const Dataset& dataset, const FeatureOptions& options);

/// What choose_features is given when nobody says otherwise: the stored features, else the registry's choice
/// for this data set, else what the roles give away: role_degrees where some hyperedge is directed, else the degree.
FeatureOptions default_features(const Dataset& dataset);

}  // namespace dshn::data
