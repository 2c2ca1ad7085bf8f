#include "dshn/data/features.hpp"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "data/support.hpp"
#include "dshn/base/parallel.hpp"

namespace dshn::data {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::message_of;

/// Hyperedges 0 -> 1, {0, 2} -> 1 and the undirected {2, 1}; node 3 is in none.
Dataset small_dataset() {
  const std::vector<Index> edge = {0, 0, 1, 1, 1, 2, 2};
  const std::vector<Index> node = {0, 1, 0, 2, 1, 1, 2};
  const std::vector<Role> role = {Role::tail, Role::head, Role::tail, Role::tail,
                                  Role::head, Role::tail, Role::tail};
  Dataset dataset;
  dataset.name = "small";
  dataset.hypergraph = Hypergraph(4, 3, {edge, node, role});
  return dataset;
}

FeatureOptions features_of(FeatureKind kind) {
  FeatureOptions options;
  options.kind = kind;
  return options;
}

TEST(MakeFeatures, CountsHyperedges) {
  const Hypergraph h = small_dataset().hypergraph;
  EXPECT_EQ(make_features(h, features_of(FeatureKind::degree)), (Features{4, 1, {2, 3, 2, 0}}));
  EXPECT_EQ(make_features(h, features_of(FeatureKind::role_degrees)),
            (Features{4, 2, {2, 0, 1, 2, 2, 0, 0, 0}}));
  EXPECT_EQ(make_features(h, features_of(FeatureKind::constant)), (Features{4, 1, {1, 1, 1, 1}}));
}

TEST(MakeFeatures, OneHotDegreesEndWithACatchAll) {
  const Hypergraph h = small_dataset().hypergraph;
  EXPECT_EQ(make_features(h, features_of(FeatureKind::one_hot_degree)),
            (Features{4, 4, {0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 0}}));

  FeatureOptions capped = features_of(FeatureKind::one_hot_degree);
  capped.one_hot_limit = 1;
  EXPECT_EQ(make_features(h, capped), (Features{4, 2, {0, 1, 0, 1, 0, 1, 1, 0}}));
}

TEST(MakeFeatures, RandomOnesFollowTheSeed) {
  const Hypergraph h = small_dataset().hypergraph;
  FeatureOptions options = features_of(FeatureKind::random);
  options.random_columns = 3;
  const Features once = make_features(h, options);
  EXPECT_EQ(once.cols(), 3);
  EXPECT_EQ(once, make_features(h, options));
  options.seed = 1;
  EXPECT_NE(once, make_features(h, options));
}

TEST(ChooseFeatures, AppendsOrReplaces) {
  Dataset dataset = small_dataset();
  dataset.node_features = {4, 1, {9, 8, 7, 6}};
  FeatureOptions options = features_of(FeatureKind::degree);
  EXPECT_EQ(choose_features(dataset, options), (Features{4, 1, {2, 3, 2, 0}}));
  options.append = true;
  EXPECT_EQ(choose_features(dataset, options), (Features{4, 2, {9, 2, 8, 3, 7, 2, 6, 0}}));
}

TEST(ChooseFeatures, ScalesWhatResults) {
  FeatureOptions options = features_of(FeatureKind::role_degrees);
  options.scaling = Scaling::normalise_rows;
  EXPECT_THAT(choose_features(small_dataset(), options).values(),
              ElementsAre(1, 0, ::testing::FloatEq(1.0F / 3), ::testing::FloatEq(2.0F / 3), 1, 0, 0, 0));
}

TEST(ChooseFeatures, StoredOnesMustBeThere) {
  const Dataset dataset = small_dataset();
  EXPECT_THAT(message_of<UsageError>([&] { choose_features(dataset, {}); }),
              HasSubstr("small has no node features"));
  EXPECT_THROW(make_features(dataset.hypergraph, {}), UsageError);
}

TEST(DefaultFeatures, AreTheStoredOnesElseTheDegree) {
  Dataset dataset = small_dataset();
  EXPECT_EQ(default_features(dataset).kind, FeatureKind::degree);
  dataset.name = "email-eu";
  EXPECT_EQ(default_features(dataset).kind, FeatureKind::degree);
  dataset.node_features = {4, 1, {9, 8, 7, 6}};
  EXPECT_EQ(default_features(dataset).kind, FeatureKind::stored);
}

TEST(FeatureKinds, AreReadByTheirNames) {
  for (const auto kind : {FeatureKind::stored, FeatureKind::degree, FeatureKind::role_degrees,
                          FeatureKind::one_hot_degree, FeatureKind::constant, FeatureKind::random}) {
    EXPECT_EQ(feature_kind(feature_kind_name(kind)), kind);
  }
  EXPECT_THAT(message_of<UsageError>([] { feature_kind("degre"); }), HasSubstr("known are stored, degree"));
}

RC_GTEST_PROP(Standardise, GivesMeanZeroAndVarianceOneOrAColumnOfZeros, ()) {
  const auto rows = *rc::gen::inRange<Index>(1, 30);
  const auto cols = *rc::gen::inRange<Index>(1, 40);
  const auto raw = *rc::gen::container<std::vector<int>>(
      static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols), rc::gen::inRange(-50, 50));
  const Features features = standardised({rows, cols, std::vector<float>(raw.begin(), raw.end())});
  for (Index col = 0; col < cols; ++col) {
    double sum = 0, squares = 0;
    for (Index row = 0; row < rows; ++row) {
      const double value = features.values()[static_cast<std::size_t>(row) * static_cast<std::size_t>(cols) +
                                             static_cast<std::size_t>(col)];
      sum += value;
      squares += value * value;
    }
    RC_ASSERT(std::abs(sum) < 1e-4 * rows);
    RC_ASSERT(squares == 0.0 || std::abs(squares / rows - 1) < 1e-4);
  }
}

TEST(Standardise, LeavesNoNoiseInConstantColumns) {
  const Features features = standardised({1000, 1, std::vector<float>(1000, 0.1F)});
  EXPECT_THAT(features.values(), ::testing::Each(0.0F));
}

TEST(Standardise, DoesNotDependOnTheNumberOfThreads) {
  FeatureOptions options = features_of(FeatureKind::random);
  options.random_columns = 100;
  const Features raw = make_features(small_dataset().hypergraph, options);
  set_thread_count(1);
  const Features one = standardised(raw);
  set_thread_count(4);
  const Features four = standardised(raw);
  set_thread_count(0);
  EXPECT_EQ(one, four);
}

}  // namespace
}  // namespace dshn::data
