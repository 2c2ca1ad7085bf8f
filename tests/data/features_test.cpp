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
  options.kinds = {kind};
  return options;
}

TEST(MakeFeatures, CountsHyperedges) {
  const Hypergraph h = small_dataset().hypergraph;
  EXPECT_EQ(make_features(h, FeatureKind::degree), (Features{4, 1, {2, 3, 2, 0}}));
  EXPECT_EQ(make_features(h, FeatureKind::role_degrees), (Features{4, 2, {2, 0, 1, 2, 2, 0, 0, 0}}));
  EXPECT_EQ(make_features(h, FeatureKind::constant), (Features{4, 1, {1, 1, 1, 1}}));
}

TEST(MakeFeatures, OneHotDegreesEndWithACatchAll) {
  const Hypergraph h = small_dataset().hypergraph;
  EXPECT_EQ(make_features(h, FeatureKind::one_hot_degree),
            (Features{4, 4, {0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 0}}));

  FeatureOptions capped;
  capped.one_hot_limit = 1;
  EXPECT_EQ(make_features(h, FeatureKind::one_hot_degree, capped),
            (Features{4, 2, {0, 1, 0, 1, 0, 1, 1, 0}}));
}

TEST(MakeFeatures, RandomOnesFollowTheSeed) {
  const Hypergraph h = small_dataset().hypergraph;
  FeatureOptions options;
  options.random_columns = 3;
  const Features once = make_features(h, FeatureKind::random, options);
  EXPECT_EQ(once.cols(), 3);
  EXPECT_EQ(once, make_features(h, FeatureKind::random, options));
  options.seed = 1;
  EXPECT_NE(once, make_features(h, FeatureKind::random, options));
}

TEST(ChooseFeatures, PutsPartsSideBySideInTheirOrder) {
  Dataset dataset = small_dataset();
  dataset.node_features = {4, 1, {9, 8, 7, 6}};
  FeatureOptions options = features_of(FeatureKind::degree);
  EXPECT_EQ(choose_features(dataset, options), (Features{4, 1, {2, 3, 2, 0}}));
  options.kinds = {FeatureKind::stored, FeatureKind::degree};
  EXPECT_EQ(choose_features(dataset, options), (Features{4, 2, {9, 2, 8, 3, 7, 2, 6, 0}}));
  options.kinds = {FeatureKind::constant, FeatureKind::spectral, FeatureKind::stored};
  options.spectral = {4, 1, {0.5, 0, -0.5, 1}};
  EXPECT_EQ(choose_features(dataset, options), (Features{4, 3, {1, 0.5, 9, 1, 0, 8, 1, -0.5, 7, 1, 1, 6}}));
}

TEST(ChooseFeatures, ScalesEachPartByItsKind) {
  Dataset dataset = small_dataset();
  dataset.node_features = {4, 1, {9, 8, 7, 6}};
  FeatureOptions options;
  options.scaling = Scaling::by_kind;
  options.spectral = {4, 1, {2, 4, 6, 8}};
  options.kinds = {FeatureKind::stored, FeatureKind::constant, FeatureKind::spectral};
  EXPECT_EQ(choose_features(dataset, options), (Features{4, 3, {9, 1, 2, 8, 1, 4, 7, 1, 6, 6, 1, 8}}));

  for (const FeatureKind kind :
       {FeatureKind::degree, FeatureKind::role_degrees, FeatureKind::one_hot_degree, FeatureKind::random}) {
    const Features made = make_features(dataset.hypergraph, kind);
    options.kinds = {kind, FeatureKind::constant};
    const std::vector<Features> expected{standardised(made), Features{4, 1, {1, 1, 1, 1}}};
    EXPECT_EQ(choose_features(dataset, options), side_by_side(expected)) << feature_kind_name(kind);
  }
}

TEST(ChooseFeatures, StandardisesAConstantToZerosWhereThatIsAskedFor) {
  FeatureOptions options = features_of(FeatureKind::constant);
  options.scaling = Scaling::standardise;
  EXPECT_EQ(choose_features(small_dataset(), options), (Features{4, 1, {0, 0, 0, 0}}));
}

TEST(ChooseFeatures, KeepsSparsePartsSparse) {
  Dataset dataset = small_dataset();
  dataset.node_features = {4, 100, Features::Entries{{0, 1, 2, 3, 4}, {7, 99, 0, 50}, {}}};
  FeatureOptions options;
  options.kinds = {FeatureKind::stored, FeatureKind::role_degrees};

  const Features chosen = choose_features(dataset, options);

  EXPECT_TRUE(chosen.sparse());
  EXPECT_THAT(chosen.columns(), ElementsAre(7, 100, 99, 100, 101, 0, 100, 50));
  EXPECT_THAT(chosen.values(), ElementsAre(1, 2, 1, 1, 2, 1, 2, 1));
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
  EXPECT_THROW(make_features(dataset.hypergraph, FeatureKind::stored), UsageError);
  FeatureOptions beside;
  beside.kinds = {FeatureKind::degree, FeatureKind::stored};
  EXPECT_THAT(message_of<UsageError>([&] { choose_features(dataset, beside); }),
              HasSubstr("small has no node features"));
}

TEST(ChooseFeatures, SpectralOnesMustBeGiven) {
  const Dataset dataset = small_dataset();
  EXPECT_EQ(message_of<UsageError>([&] { choose_features(dataset, features_of(FeatureKind::spectral)); }),
            "small: spectral features were asked for and not given");
  EXPECT_THROW(make_features(dataset.hypergraph, FeatureKind::spectral), UsageError);
}

TEST(DefaultFeatures, AreTheStoredOnesElseDegreesByRoleWhereThereIsDirection) {
  Dataset dataset = small_dataset();
  ASSERT_TRUE(dataset.hypergraph.has_directed_edges());
  EXPECT_THAT(default_features(dataset).kinds, ElementsAre(FeatureKind::role_degrees));
  Dataset undirected = dataset;
  undirected.hypergraph = Hypergraph(4, 0, {});
  EXPECT_THAT(default_features(undirected).kinds, ElementsAre(FeatureKind::degree));
  dataset.name = "email-eu";
  EXPECT_THAT(default_features(dataset).kinds, ElementsAre(FeatureKind::degree));
  dataset.node_features = {4, 1, {9, 8, 7, 6}};
  EXPECT_THAT(default_features(dataset).kinds, ElementsAre(FeatureKind::stored));
}

TEST(FeatureKinds, AreReadByTheirNames) {
  for (const auto kind :
       {FeatureKind::stored, FeatureKind::degree, FeatureKind::role_degrees, FeatureKind::one_hot_degree,
        FeatureKind::constant, FeatureKind::random, FeatureKind::spectral}) {
    EXPECT_EQ(feature_kind(feature_kind_name(kind)), kind);
  }
  EXPECT_THAT(message_of<UsageError>([] { feature_kind("degre"); }), HasSubstr("known are stored, degree"));
}

TEST(ChooseFeatures, ScalesOtherDataByTheScaleOfTheFirst) {
  Dataset first = small_dataset();
  first.code.node_columns = {{"age", {}, 2, true}, {"town", {"Oslo"}, 0, false}};
  first.node_features = Features(4, 3, {1, 0, 1, 2, 0, 1, 3, 0, 0, 2, 1, 0});
  FeatureOptions options;
  options.kinds = {FeatureKind::stored, FeatureKind::degree};
  options.scaling = Scaling::by_kind;
  const FeatureScale scale = feature_scale(first, options);
  EXPECT_EQ(scale.centre, (std::vector<double>{2, 0, 0, 1.75}));
  EXPECT_EQ(scale.deviation[1], 1) << "a mark stays";
  EXPECT_EQ(scale.deviation[2], 1) << "a word stays";

  Dataset second = first;
  second.node_features = Features(4, 3, {11, 0, 1, 12, 0, 1, 13, 0, 0, 12, 1, 0});
  options.scale = scale;
  const Features chosen = choose_features(second, options);
  EXPECT_FLOAT_EQ(chosen.values()[0], static_cast<float>((11 - 2) / std::sqrt(0.5)));
  EXPECT_FLOAT_EQ(chosen.values()[2], 1);

  options.kinds = {FeatureKind::stored};
  EXPECT_THAT(message_of<InvalidInput>([&] { choose_features(second, options); }),
              HasSubstr("3 columns of features; expected 4, as in training"));
}

TEST(MakeFeatures, OneHotDegreesKeepTheColumnsOfTraining) {
  FeatureOptions options;
  options.one_hot_columns = 6;
  EXPECT_EQ(make_features(small_dataset().hypergraph, FeatureKind::one_hot_degree, options).cols(), 6);
  options.one_hot_columns = 2;
  EXPECT_EQ(make_features(small_dataset().hypergraph, FeatureKind::one_hot_degree, options),
            (Features{4, 2, {0, 1, 0, 1, 0, 1, 1, 0}}));
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

TEST(NormaliseRows, ScalesEntriesWithoutMakingAll) {
  std::vector<float> values(192, 0.0F);
  values[70] = -1;
  values[127] = 3;
  values[130] = 1;
  const Features dense(3, 64, values);
  ASSERT_TRUE(dense.compact().sparse());

  const Features scaled = rows_normalised(dense.compact());

  EXPECT_TRUE(scaled.sparse());
  EXPECT_THAT(scaled.values(), ElementsAre(-0.25F, 0.75F, 1.0F));
  EXPECT_EQ(scaled, rows_normalised(dense));
}

TEST(Standardise, LeavesNoNoiseInConstantColumns) {
  const Features features = standardised({1000, 1, std::vector<float>(1000, 0.1F)});
  EXPECT_THAT(features.values(), ::testing::Each(0.0F));
}

TEST(Standardise, DoesNotDependOnTheNumberOfThreads) {
  FeatureOptions options;
  options.random_columns = 100;
  const Features raw = make_features(small_dataset().hypergraph, FeatureKind::random, options);
  set_thread_count(1);
  const Features one = standardised(raw);
  set_thread_count(4);
  const Features four = standardised(raw);
  set_thread_count(0);
  EXPECT_EQ(one, four);
}

}  // namespace
}  // namespace dshn::data
