#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dshn/base/error.hpp"
#include "dshn/base/random.hpp"
#include "dshn/hypergraph/generators.hpp"

namespace dshn {
namespace {

void check(const SyntheticOptions& o) {
  if (o.classes < 1 || o.nodes < o.classes) {
    throw UsageError(
        fmt::format("{} nodes cannot be split into {} classes; expected at least one class and as many "
                    "nodes as classes",
                    o.nodes, o.classes));
  }
  const Index smallest_class = o.nodes / o.classes;
  if (o.h_min < 1 || o.h_max < o.h_min || o.h_max > smallest_class) {
    throw UsageError(
        fmt::format("sizes from h_min = {} to h_max = {} do not fit; expected 1 <= h_min <= h_max <= {}, "
                    "the size of a class",
                    o.h_min, o.h_max, smallest_class));
  }
  if (o.intra < 0 || o.inter < 0) {
    throw UsageError(fmt::format(
        "{} intra-class and {} inter-class hyperedges; expected counts of at least 0", o.intra, o.inter));
  }
}

class SyntheticBenchmark {
 public:
  explicit SyntheticBenchmark(const SyntheticOptions& options) : options_(options), random_(options.seed) {}

  LabelledHypergraph generate() {
    for (Index i = 0; i < options_.classes; ++i) {
      for (Index k = 0; k < options_.intra; ++k, ++edge_count_) add_members(i, Role::tail);
    }
    for (Index i = 0; i < options_.classes; ++i) {
      for (Index j = i + 1; j < options_.classes; ++j) {
        for (Index k = 0; k < options_.inter; ++k, ++edge_count_) {
          add_members(i, Role::tail);
          add_members(j, Role::head);
        }
      }
    }
    LabelledHypergraph result{Hypergraph(options_.nodes, edge_count_, {edge_, node_, role_}), {}};
    for (Index i = 0; i < options_.classes; ++i) {
      result.labels.insert(result.labels.end(), class_begin(i + 1) - class_begin(i), i);
    }
    return result;
  }

 private:
  Index class_begin(Index i) const {
    return i * (options_.nodes / options_.classes) + std::min(i, options_.nodes % options_.classes);
  }

  /// A set of uniform size, uniform in one class, joins the current hyperedge.
  void add_members(Index of_class, Role role) {
    const Index begin = class_begin(of_class);
    const auto size = options_.h_min + static_cast<Index>(random_.below(options_.h_max - options_.h_min + 1));
    for (const Index v : random_.sample(class_begin(of_class + 1) - begin, size)) {
      edge_.push_back(edge_count_);
      node_.push_back(begin + v);
      role_.push_back(role);
    }
  }

  SyntheticOptions options_;
  Random random_;
  Index edge_count_ = 0;
  std::vector<Index> edge_, node_;
  std::vector<Role> role_;
};

}  // namespace

LabelledHypergraph synthetic_benchmark(const SyntheticOptions& options) {
  check(options);
  return SyntheticBenchmark(options).generate();
}

std::vector<float> class_features(const std::vector<Index>& labels, Index columns, double signal,
                                  std::uint64_t seed) {
  if (columns < 1 || !(signal >= 0) || !std::isfinite(signal))
    throw UsageError(fmt::format(
        "{} columns of features with a signal of {}; expected one column at least and a signal of at least 0",
        columns, signal));
  Random random = Random(seed).fork(3);
  const Index classes = labels.empty() ? 0 : *std::ranges::max_element(labels) + 1;
  std::vector<std::vector<double>> centres(classes, std::vector<double>(columns));
  for (std::vector<double>& centre : centres) {
    double squares = 0;
    for (double& x : centre) {
      x = random.normal();
      squares += x * x;
    }
    for (double& x : centre) x *= signal / std::sqrt(squares);
  }
  std::vector<float> features;
  features.reserve(labels.size() * static_cast<std::size_t>(columns));
  for (const Index label : labels)
    for (const double x : centres[label]) features.push_back(static_cast<float>(x + random.normal()));
  return features;
}

}  // namespace dshn
