#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dshn/data/dataset.hpp"
#include "dshn/data/registry.hpp"

namespace dshn::data {

enum class Scaling : std::uint8_t {
  none,
  standardise,     ///< each column to mean 0 and variance 1 over all nodes; a constant column becomes 0
  normalise_rows,  ///< each row to absolute sum 1; a row of zeros stays
  by_kind,         ///< degrees of all kinds and random columns are standardised; the other parts stay
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
///  - degree: one column, the number of hyperedges of the node (the paper's choice where a set has no
///  features);
///  - role_degrees: two columns, in how many hyperedges the node is a tail and a head;
///  - one_hot_degree: a column per degree from 0 to the largest one, or to one_hot_limit;
///  - constant: one column of ones;
///  - random: standard normal, random_columns of them, by seed.
/// On the synthetic benchmark, one-hot and role degrees give the classes away. UsageError for other kinds.
Features make_features(const Hypergraph& hypergraph, FeatureKind kind, const FeatureOptions& options = {});

Features standardised(const Features& features);
Features rows_normalised(const Features& features);

/// The node features that the options ask for; stored ones without scaling are the data set's own, not copied.
/// UsageError where stored or spectral features are asked for and there are none.
Features choose_features(const Dataset& dataset, const FeatureOptions& options);

/// What choose_features is given when nobody says otherwise: the stored features, else the registry's choice
/// for this data set, else the degree.
FeatureOptions default_features(const Dataset& dataset);

}  // namespace dshn::data
