#include "dshn/hypergraph/generators.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "dshn/hypergraph/statistics.hpp"
#include "hypergraph/support.hpp"

namespace dshn::test {
namespace {

std::set<Index> classes_of(std::span<const Index> members, const std::vector<Index>& labels) {
  std::set<Index> classes;
  for (const Index v : members) classes.insert(labels[v]);
  return classes;
}

TEST(SyntheticBenchmark, HasTheShapeOfThePaper) {
  const LabelledHypergraph data = synthetic_benchmark({.inter = 10, .seed = 3});

  const Statistics s = statistics(data.hypergraph);
  EXPECT_EQ(s.n_nodes, 500);
  EXPECT_EQ(s.n_hyperedges, 5 * 30 + 10 * 10);
  EXPECT_EQ(s.n_directed_hyperedges, 10 * 10);
  for (Index c = 0; c < 5; ++c) EXPECT_EQ(std::count(data.labels.begin(), data.labels.end(), c), 100);
  // The mean size is 6.5 within and 13 between classes: the paper's 9.05, 10.79 and 11.63 lie
  // around 9.1, 10.83, 11.5.
  EXPECT_NEAR(s.avg_hyperedge_size, (150 * 6.5 + 100 * 13) / 250, 0.6);
}

TEST(SyntheticBenchmark, GoesFromLowerToHigherClasses) {
  const SyntheticOptions options{
      .nodes = 23, .classes = 3, .h_min = 2, .h_max = 5, .intra = 8, .inter = 6, .seed = 1};

  const LabelledHypergraph data = synthetic_benchmark(options);

  const Hypergraph& h = data.hypergraph;
  ASSERT_EQ(h.edge_count(), 3 * 8 + 3 * 6);
  for (Index e = 0; e < 24; ++e) {
    EXPECT_TRUE(h.head(e).empty());
    EXPECT_EQ(classes_of(h.tail(e), data.labels), std::set<Index>{e / 8});
    EXPECT_TRUE(h.size(e) >= 2 && h.size(e) <= 5);
  }
  const std::vector<std::pair<Index, Index>> pairs{{0, 1}, {0, 2}, {1, 2}};
  for (Index e = 24; e < h.edge_count(); ++e) {
    const auto [from, to] = pairs[(e - 24) / 6];
    EXPECT_EQ(classes_of(h.tail(e), data.labels), std::set<Index>{from});
    EXPECT_EQ(classes_of(h.head(e), data.labels), std::set<Index>{to});
    EXPECT_TRUE(h.tail(e).size() >= 2 && h.tail(e).size() <= 5);
    EXPECT_TRUE(h.head(e).size() >= 2 && h.head(e).size() <= 5);
  }
  // 23 nodes in 3 classes: 8, 8 and 7.
  EXPECT_EQ(std::count(data.labels.begin(), data.labels.end(), 0), 8);
  EXPECT_EQ(std::count(data.labels.begin(), data.labels.end(), 2), 7);
}

TEST(SyntheticBenchmark, DrawsEverySizeAndFollowsTheSeed) {
  const LabelledHypergraph data = synthetic_benchmark({.seed = 3});

  std::set<Offset> sizes;
  for (Index e = 0; e < 150; ++e) sizes.insert(data.hypergraph.size(e));
  EXPECT_THAT(sizes, testing::ElementsAre(3, 4, 5, 6, 7, 8, 9, 10));
  EXPECT_EQ(synthetic_benchmark({.seed = 3}).hypergraph, data.hypergraph);
  EXPECT_NE(synthetic_benchmark({.seed = 4}).hypergraph, data.hypergraph);
}

TEST(SyntheticBenchmark, RefusesWhatDoesNotFit) {
  const auto error_of = [](const SyntheticOptions& options) {
    return message_of<UsageError>([&] { synthetic_benchmark(options); });
  };

  EXPECT_EQ(
      error_of({.nodes = 4, .classes = 5}),
      "4 nodes cannot be split into 5 classes; expected at least one class and as many nodes as classes");
  EXPECT_EQ(
      error_of({.classes = 0}),
      "500 nodes cannot be split into 0 classes; expected at least one class and as many nodes as classes");
  EXPECT_EQ(error_of({.nodes = 40, .classes = 5}),
            "sizes from h_min = 3 to h_max = 10 do not fit; expected 1 <= h_min <= h_max <= 8, the size of a "
            "class");
  EXPECT_EQ(error_of({.h_min = 0}),
            "sizes from h_min = 0 to h_max = 10 do not fit; expected 1 <= h_min <= h_max <= 100, the size of "
            "a class");
  EXPECT_EQ(error_of({.intra = -1}),
            "-1 intra-class and 30 inter-class hyperedges; expected counts of at least 0");
}

/// Sizes within six standard errors of the mean.
void expect_mean(const Statistics& s, double mean) {
  double squares = 0;
  for (std::size_t size = 0; size < s.size_histogram.size(); ++size) {
    const double deviation = static_cast<double>(size) - mean;
    squares += s.size_histogram[size] * deviation * deviation;
  }
  const double standard_error = std::sqrt(squares) / s.n_hyperedges;
  EXPECT_NEAR(s.avg_hyperedge_size, mean, 6 * standard_error + 1e-12);
}

TEST(RandomHypergraph, HasSizesOfTheChosenLaw) {
  const auto with_law = [](SizeLaw law, double mean) {
    return statistics(random_hypergraph({.nodes = 5000,
                                         .hyperedges = 20000,
                                         .size_law = law,
                                         .mean_size = mean,
                                         .max_size = 400,
                                         .seed = 1}));
  };

  const Statistics fixed = with_law(SizeLaw::fixed, 7);
  EXPECT_EQ(fixed.size_histogram[7], 20000);
  const Statistics uniform = with_law(SizeLaw::uniform, 4.5);
  EXPECT_EQ(uniform.max_hyperedge_size, 8);
  EXPECT_EQ(uniform.size_histogram[0], 0);
  expect_mean(uniform, 4.5);
  const Statistics poisson = with_law(SizeLaw::poisson, 6);
  expect_mean(poisson, 6);
  EXPECT_NEAR(poisson.size_histogram[1] / 20000.0, std::exp(-5), 6 * std::sqrt(std::exp(-5) / 20000));
  const Statistics power = with_law(SizeLaw::power_law, 6);
  expect_mean(power, 6);
  EXPECT_GT(power.size_histogram[1], power.size_histogram[2]);
  EXPECT_GT(power.max_hyperedge_size, 200);
}

TEST(RandomHypergraph, HasDegreesOfTheChosenLaw) {
  const auto with_law = [](DegreeLaw law) {
    return statistics(random_hypergraph({.nodes = 20000,
                                         .hyperedges = 20000,
                                         .mean_size = 5,
                                         .degree_law = law,
                                         .degree_exponent = 2.5,
                                         .seed = 2}));
  };

  const Statistics even = with_law(DegreeLaw::uniform);
  const Statistics heavy = with_law(DegreeLaw::power_law);

  // Binomial of mean 5: its 1e-9 quantile is far below 40. The heaviest node has weight n^-b = n^(-1/3) of
  // all draws.
  EXPECT_LT(even.max_node_degree, 40);
  EXPECT_GT(heavy.max_node_degree, 1000);
  EXPECT_GT(heavy.n_isolated_nodes, even.n_isolated_nodes);
  // Tail of a power law with density exponent 2.5: four times the degree, an eighth of the nodes.
  const auto above = [&](std::size_t degree) {
    double count = 0;
    for (std::size_t k = degree; k < heavy.degree_histogram.size(); ++k) count += heavy.degree_histogram[k];
    return count;
  };
  EXPECT_NEAR(std::log(above(16) / above(64)) / std::log(4), 1.5, 0.25);
}

TEST(RandomHypergraph, DealsOutTheRoles) {
  const Statistics s = statistics(random_hypergraph({.nodes = 1000,
                                                     .hyperedges = 10000,
                                                     .size_law = SizeLaw::fixed,
                                                     .mean_size = 4,
                                                     .directed_share = 0.3,
                                                     .tail_share = 0.25,
                                                     .seed = 3}));

  EXPECT_NEAR(s.directed_share, 0.3, 6 * std::sqrt(0.3 * 0.7 / 10000));
  EXPECT_EQ(s.n_head_incidences, 3 * s.n_directed_hyperedges);
}

TEST(RandomHypergraph, AlwaysHasBothRolesInDirectedHyperedges) {
  for (const double tail_share : {0.0, 1.0}) {
    const Hypergraph h = random_hypergraph(
        {.nodes = 50, .hyperedges = 500, .mean_size = 3, .tail_share = tail_share, .seed = 4});

    for (Index e = 0; e < h.edge_count(); ++e) EXPECT_EQ(h.is_directed(e), h.size(e) >= 2);
  }
}

TEST(RandomHypergraph, RolesDoNotFollowTheDegrees) {
  const Hypergraph h = random_hypergraph({.nodes = 5000,
                                          .hyperedges = 20000,
                                          .size_law = SizeLaw::fixed,
                                          .mean_size = 6,
                                          .degree_law = DegreeLaw::power_law,
                                          .seed = 5});
  Index hub = 0;
  for (Index v = 1; v < h.node_count(); ++v) {
    if (h.degree(v) > h.degree(hub)) hub = v;
  }

  double tails = 0;
  for (const Index e : h.edges_of(hub)) tails += std::ranges::binary_search(h.tail(e), hub) ? 1 : 0;

  const auto degree = static_cast<double>(h.degree(hub));
  EXPECT_NEAR(tails / degree, 0.5, 6 * 0.5 / std::sqrt(degree));
}

class Extremes : public testing::TestWithParam<RandomOptions> {};

TEST_P(Extremes, FinishAndFit) {
  const RandomOptions options = GetParam();

  const Hypergraph h = random_hypergraph(options);

  EXPECT_EQ(h.node_count(), options.nodes);
  EXPECT_EQ(h.edge_count(), options.hyperedges);
}

INSTANTIATE_TEST_SUITE_P(
    RandomHypergraph, Extremes,
    testing::Values(RandomOptions{.nodes = 1, .hyperedges = 0, .mean_size = 1},
                    RandomOptions{.nodes = 1, .hyperedges = 9, .mean_size = 1},
                    RandomOptions{.nodes = 12, .hyperedges = 9, .size_law = SizeLaw::fixed, .mean_size = 12},
                    RandomOptions{.nodes = 60,
                                  .hyperedges = 9,
                                  .size_law = SizeLaw::fixed,
                                  .mean_size = 60,
                                  .degree_law = DegreeLaw::power_law},
                    RandomOptions{.nodes = 4000,
                                  .hyperedges = 20,
                                  .size_law = SizeLaw::fixed,
                                  .mean_size = 400,
                                  .degree_law = DegreeLaw::power_law,
                                  .degree_exponent = 2.0001},
                    RandomOptions{
                        .nodes = 100, .hyperedges = 50, .size_law = SizeLaw::poisson, .mean_size = 1},
                    RandomOptions{.nodes = 100,
                                  .hyperedges = 50,
                                  .size_law = SizeLaw::power_law,
                                  .mean_size = 1,
                                  .directed_share = 0}));

TEST(RandomHypergraph, IsTheSameForAnyNumberOfThreads) {
  const auto with_threads = [](int threads) {
    const WithThreads scope(threads);
    return random_hypergraph({.nodes = 30000,
                              .hyperedges = 20000,
                              .size_law = SizeLaw::power_law,
                              .mean_size = 8,
                              .degree_law = DegreeLaw::power_law,
                              .directed_share = 0.5,
                              .seed = 6});
  };

  const Hypergraph alone = with_threads(1);

  EXPECT_EQ(with_threads(2), alone);
  EXPECT_EQ(with_threads(7), alone);
}

TEST(RandomHypergraph, RefusesWhatDoesNotFit) {
  const auto error_of = [](const RandomOptions& options) {
    return message_of<UsageError>([&] { random_hypergraph(options); });
  };

  EXPECT_EQ(error_of({.nodes = 0}),
            "0 nodes and 1000 hyperedges; expected at least one node and no negative number");
  EXPECT_EQ(error_of({.mean_size = 0.5}), "mean size 0.5; expected a number of at least 1");
  EXPECT_EQ(error_of({.mean_size = std::numeric_limits<double>::quiet_NaN()}),
            "mean size nan; expected a number of at least 1");
  EXPECT_EQ(error_of({.size_law = SizeLaw::fixed, .mean_size = 2.5}),
            "mean size 2.5 does not suit hyperedges of one size; expected a whole number");
  EXPECT_EQ(error_of({.mean_size = 2.3}),
            "mean size 2.3 does not suit uniform sizes from 1; expected a whole number or a half");
  EXPECT_EQ(error_of({.nodes = 8}), "hyperedges of up to 9 members would exceed the greatest size 8");
  EXPECT_EQ(error_of({.nodes = 8, .max_size = 9}),
            "greatest size 9; expected from 1 to 8, the number of nodes, or 0 for the default");
  EXPECT_EQ(error_of({.degree_exponent = 2}), "degree exponent 2; expected a number above 2");
  EXPECT_EQ(error_of({.directed_share = 1.5}),
            "share of directed hyperedges 1.5; expected a number from 0 to 1");
  EXPECT_EQ(error_of({.tail_share = -0.5}), "share of tails -0.5; expected a number from 0 to 1");
}

TEST(RandomNoise, IsTheSameForASeedAndInRange) {
  const std::vector<std::int64_t> labels = random_labels(1000, 5, 7);
  EXPECT_EQ(labels, random_labels(1000, 5, 7));
  EXPECT_NE(labels, random_labels(1000, 5, 8));
  EXPECT_EQ(*std::ranges::min_element(labels), 0);
  EXPECT_EQ(*std::ranges::max_element(labels), 4);
  const std::vector<float> features = random_features(1000, 3, 7);
  ASSERT_EQ(features.size(), 3000U);
  EXPECT_EQ(features, random_features(1000, 3, 7));
  const double squares = std::inner_product(features.begin(), features.end(), features.begin(), 0.0);
  EXPECT_NEAR(squares / 3000, 1, 0.1);
}

TEST(ClassFeatures, LieAroundCentresAtTheDistanceOfTheSignal) {
  constexpr Index kNodes = 20000;
  constexpr Index kColumns = 4;
  std::vector<Index> labels(kNodes);
  for (Index v = 0; v < kNodes; ++v) labels[v] = v % 2;
  constexpr double kOfClass = kNodes / 2.0;
  for (const double signal : {0.0, 3.0}) {
    const std::vector<float> x = class_features(labels, kColumns, signal, 7);
    ASSERT_EQ(x.size(), static_cast<std::size_t>(kNodes * kColumns));
    EXPECT_EQ(x, class_features(labels, kColumns, signal, 7));
    EXPECT_NE(x, class_features(labels, kColumns, signal, 8));

    for (Index label = 0; label < 2; ++label) {
      double from_origin = 0;
      double deviation = 0;
      for (Index c = 0; c < kColumns; ++c) {
        double sum = 0;
        double squares = 0;
        for (Index v = label; v < kNodes; v += 2) {
          const double value = x[static_cast<std::size_t>(v) * kColumns + c];
          sum += value;
          squares += value * value;
        }
        const double mean = sum / kOfClass;
        from_origin += mean * mean;
        deviation += (squares / kOfClass - mean * mean) / kColumns;
      }
      EXPECT_NEAR(std::sqrt(from_origin), signal, 0.05) << label;
      EXPECT_NEAR(deviation, 1, 0.05) << label;
    }
  }
}

TEST(ClassFeatures, RefuseWhatCannotBe) {
  EXPECT_THROW(class_features({0, 1}, 0, 1, 0), UsageError);
  EXPECT_THROW(class_features({0, 1}, 3, -1, 0), UsageError);
}

}  // namespace
}  // namespace dshn::test
