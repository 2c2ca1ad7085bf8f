#include "dshn/report/columns.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "dshn/hypergraph/builder.hpp"

namespace dshn::report {
namespace {

using nlohmann::ordered_json;
using testing::ElementsAre;

/// Hyperedge "e": tail a, heads b and c; hyperedge "f": tail c alone; node d is in none.
data::Dataset small_dataset() {
  HypergraphBuilder builder;
  builder.incidence(Name::string("e"), Name::string("a"), Role::tail);
  builder.incidence(Name::string("e"), Name::string("b"), Role::head);
  builder.node(Name::string("d"));
  builder.incidence(Name::string("e"), Name::string("c"), Role::head);
  builder.incidence(Name::string("f"), Name::string("c"), Role::tail);
  data::Dataset dataset;
  dataset.hypergraph = builder.build();
  dataset.labels = {0, 1, 0, 1};
  dataset.class_count = 2;
  return dataset;
}

TEST(Columns, HoldTheWholeOfASmallHypergraph) {
  const data::Dataset dataset = small_dataset();
  const Excerpt excerpt = choose_excerpt(dataset.hypergraph, 100);

  const ordered_json columns = hypergraph_columns(dataset, excerpt);

  EXPECT_EQ(columns["node_names"], ordered_json({"a", "b", "d", "c"})) << "with the node in no hyperedge";
  EXPECT_EQ(columns["edge_names"], ordered_json({"e", "f"}));
  EXPECT_EQ(columns["sizes"], ordered_json({3, 1}));
  EXPECT_EQ(columns["tails"], ordered_json({1, 1}));
  EXPECT_EQ(columns["members"], ordered_json({0, 1, 3, 3}));
  EXPECT_EQ(columns["labels"], ordered_json({0, 1, 0, 1}));
  EXPECT_EQ(columns["target"], "node");
}

TEST(Columns, WordsOfClassesStandBesideUnknownLabels) {
  data::Dataset dataset = small_dataset();
  const Excerpt excerpt = choose_excerpt(dataset.hypergraph, 100);
  EXPECT_TRUE(hypergraph_columns(dataset, excerpt)["class_names"].is_null());
  dataset.labels = {0, -1, 0, 1};
  dataset.code.class_names = {"red", "blue"};

  const ordered_json columns = hypergraph_columns(dataset, excerpt);

  EXPECT_EQ(columns["class_names"], ordered_json({"red", "blue"}));
  EXPECT_EQ(columns["labels"], ordered_json({0, -1, 0, 1}));
}

TEST(Columns, SmallNumbersStayWhatTheyAre) {
  EXPECT_EQ(short_numbers({1.2345678e-7, 0, -3.00000001, 0.98765432}),
            ordered_json::parse("[1.2346e-7, 0.0, -3.0, 0.98765]"));
}

TEST(Columns, ALargeHypergraphIsSampled) {
  const data::Dataset dataset = small_dataset();
  const Excerpt excerpt = choose_excerpt(dataset.hypergraph, 1);
  EXPECT_THAT(excerpt.edges, ElementsAre(1));
  EXPECT_THAT(excerpt.nodes, ElementsAre(3)) << "the member of it";
  EXPECT_EQ(hypergraph_columns(dataset, excerpt)["n_hyperedges"], 2);
}

TEST(Columns, ManyNodesInNoHyperedgeAreLeftOut) {
  HypergraphBuilder builder;
  builder.incidence(Name::string("e"), Name::string("a"), Role::tail);
  for (int v = 0; v < 5; ++v) builder.node(Name::string(fmt::format("alone {}", v)));
  const Hypergraph hypergraph = builder.build();
  EXPECT_THAT(choose_excerpt(hypergraph, 5).nodes, ElementsAre(0));
  EXPECT_THAT(choose_excerpt(hypergraph, 6).nodes, ElementsAre(0, 1, 2, 3, 4, 5));
}

TEST(Columns, PointsAreSampledWithTheirNames) {
  Predictions predictions;
  std::vector<double> xy;
  for (int i = 0; i < 100; ++i) {
    predictions.id.push_back(fmt::format("n{}", i));
    predictions.part.emplace_back("test");
    predictions.label.push_back(i % 2);
    predictions.predicted.push_back(0);
    predictions.confidence.push_back(0.5F);
    xy.insert(xy.end(), {i + 0.00001, -i + 0.0});
  }

  const ordered_json few = point_columns(predictions, xy, 10, 3);

  EXPECT_EQ(few["of"], 100);
  ASSERT_EQ(few["x"].size(), 10U);
  for (std::size_t i = 0; i < 10; ++i) {
    EXPECT_EQ(few["id"][i], fmt::format("n{}", few["x"][i].get<int>()));
    EXPECT_EQ(few["y"][i].get<double>(), -few["x"][i].get<double>());
  }
  EXPECT_EQ(few, point_columns(predictions, xy, 10, 3));
  EXPECT_EQ(point_columns(predictions, xy, 100)["x"].size(), 100U);
}

TEST(Columns, PredictionsFollowTheExcerpt) {
  Predictions predictions;
  predictions.predicted = {3, 1, 2};
  predictions.confidence = {0.25F, 0.999F, 0.5F};
  const ordered_json columns = prediction_columns(predictions, {0, 2});
  EXPECT_EQ(columns["predicted"], ordered_json({3, 2}));
  EXPECT_EQ(columns["percent"], ordered_json({25, 50}));
}

}  // namespace
}  // namespace dshn::report
