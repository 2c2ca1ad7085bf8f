#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "dshn/data/dataset.hpp"
#include "dshn/data/registry.hpp"

namespace dshn::data {

enum class Scaling : std::uint8_t {
  none,
  standardise,     ///< each column to mean 0 and variance 1 over all nodes; a constant column becomes 0
  normalise_rows,  ///< each row to absolute sum 1; a row of zeros stays
};

struct FeatureOptions {
  /// FeatureKind::stored keeps what the data set has.
  FeatureKind kind = FeatureKind::stored;
  /// Behind the stored columns rather than in their place.
  bool append = false;
  Scaling scaling = Scaling::none;
  /// Columns of FeatureKind::random.
  Index random_columns = 16;
  std::uint64_t seed = 0;
  /// One-hot degrees: the last column stands for this degree and all above it.
  Index one_hot_limit = 255;
};

/// Parses "stored", "degree", "role-degrees", "one-hot-degree", "constant" or "random"; else UsageError.
FeatureKind feature_kind(std::string_view text);
std::string_view feature_kind_name(FeatureKind kind);

/// Features made from the hypergraph alone:
///  - degree: one column, the number of hyperedges of the node (the paper's choice where a set has no
///  features);
///  - role_degrees: two columns, in how many hyperedges the node is a tail and a head;
///  - one_hot_degree: a column per degree from 0 to the largest one, or to one_hot_limit;
///  - constant: one column of ones;
///  - random: standard normal, random_columns of them, by seed.
/// On the synthetic benchmark, one-hot and role degrees give the classes away. FeatureKind::stored is a
/// UsageError.
Features make_features(const Hypergraph& hypergraph, const FeatureOptions& options);

Features standardised(const Features& features);
Features rows_normalised(const Features& features);

/// The node features that the options ask for; stored ones without scaling are the data set's own, not copied.
/// UsageError where stored features are asked for and there are none.
Features choose_features(const Dataset& dataset, const FeatureOptions& options);

/// What choose_features is given when nobody says otherwise: the stored features, else the registry's choice
/// for this data set, else the degree.
FeatureOptions default_features(const Dataset& dataset);

}  // namespace dshn::data
