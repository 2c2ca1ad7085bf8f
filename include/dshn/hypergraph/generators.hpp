#pragma once

#include <cstdint>
#include <vector>

#include "dshn/hypergraph/hypergraph.hpp"

namespace dshn {

/// Parameters of the paper's data sets 'Synthetic'; the defaults are its middle one.
struct SyntheticOptions {
  Index nodes = 500;
  Index classes = 5;
  /// Least and greatest size of an intra-class hyperedge, of a tail set and of a head set.
  Index h_min = 3;
  Index h_max = 10;
  /// Undirected hyperedges in each class.
  Index intra = 30;
  /// Directed hyperedges from class i to class j, for each i < j.
  Index inter = 30;
  std::uint64_t seed = 0;
};

struct LabelledHypergraph {
  Hypergraph hypergraph;
  std::vector<Index> labels;
};

/// The paper's synthetic benchmark. Nodes are split into classes of equal size (the first ones have one node
/// more where it does not divide), in order. First come the intra-class hyperedges, class by class, all
/// members tails; then the directed ones, pair by pair. Sizes and members are uniform. Throws UsageError on
/// options that do not fit.
LabelledHypergraph synthetic_benchmark(const SyntheticOptions& options);

/// Features, [labels * columns], that tell the classes apart to a chosen degree: a node's are those of the centre of
/// its class and standard normal noise in every column. The centres lie at the distance `signal` from the origin, in
/// random directions. 0: noise alone. UsageError for no columns, or a signal below 0.
std::vector<float> class_features(const std::vector<Index>& labels, Index columns, double signal,
                                  std::uint64_t seed);

/// How the sizes of hyperedges are distributed. All have the mean of RandomOptions::mean_size.
enum class SizeLaw : std::uint8_t {
  /// All the same; the mean must be a whole number.
  fixed,
  /// Uniform on {1, ..., 2 mean - 1}; twice the mean must be a whole number.
  uniform,
  /// 1 + Poisson(mean - 1), cut off at max_size.
  poisson,
  /// Proportional to s^-a on {1, ..., max_size}, with the exponent a >= 0 that gives the mean.
  power_law,
};

/// How members are drawn: all nodes alike, or so that the degrees follow a power law.
enum class DegreeLaw : std::uint8_t { uniform, power_law };

struct RandomOptions {
  Index nodes = 1000;
  Index hyperedges = 1000;
  SizeLaw size_law = SizeLaw::uniform;
  double mean_size = 5;
  /// No hyperedge is larger; 0 means the number of nodes, but at most 10000.
  Index max_size = 0;
  DegreeLaw degree_law = DegreeLaw::uniform;
  /// Exponent of the degrees' power law, above 2.
  double degree_exponent = 2.5;
  /// Probability that a hyperedge of two or more members is directed.
  double directed_share = 1;
  /// Share of tails among the members of a directed hyperedge, rounded, at least one tail and one head.
  double tail_share = 0.5;
  std::uint64_t seed = 0;
};

/// A large random hypergraph, made in parallel and the same for any number of threads. Members of a hyperedge
/// are drawn without replacement. Throws UsageError on options that do not fit.
Hypergraph random_hypergraph(const RandomOptions& options);

/// Labels below `classes` and standard normal features, [nodes * columns], that mean nothing: to measure what
/// training costs, not what it learns.
std::vector<std::int64_t> random_labels(Index nodes, Index classes, std::uint64_t seed);
std::vector<float> random_features(Index nodes, Index columns, std::uint64_t seed);

}  // namespace dshn
