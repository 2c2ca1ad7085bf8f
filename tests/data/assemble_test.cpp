#include "dshn/data/assemble.hpp"

#include <gmock/gmock.h>

#include <limits>

#include "data/support.hpp"
#include "dshn/hypergraph/builder.hpp"

namespace dshn::data {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::message_of;

/// Four named nodes, two hyperedges.
io::Loaded small() {
  HypergraphBuilder builder;
  for (const char* name : {"ann", "bob", "cid", "dot"}) builder.node(Name::string(name));
  builder.incidence(Name::string("first"), Name::string("ann"), Role::tail);
  builder.incidence(Name::string("first"), Name::string("bob"), Role::head);
  builder.incidence(Name::string("second"), Name::string("cid"), Role::tail);
  io::Loaded loaded;
  loaded.hypergraph = builder.build();
  loaded.format = "by hand";
  return loaded;
}

io::Array ints(const std::vector<std::int64_t>& values) {
  return io::Array::of(values, {static_cast<std::int64_t>(values.size())});
}

io::Array masks(const std::vector<bool>& flags, std::int64_t splits, std::int64_t items) {
  return io::Array::of(flags, {splits, items});
}

Dataset assembled(io::Loaded loaded, std::optional<Task> task = {}) {
  return assemble(std::move(loaded), {"small", "small.npz", task});
}

std::string refused(io::Loaded loaded) {
  std::string message = message_of<InvalidInput>([&] { assembled(std::move(loaded)); });
  EXPECT_THAT(message, ::testing::StartsWith("small.npz: "));
  EXPECT_EQ(message.find('\n'), std::string::npos);
  return message;
}

io::Loaded with_masks(const std::vector<bool>& train, const std::vector<bool>& val,
                      const std::vector<bool>& test) {
  io::Loaded loaded = small();
  loaded.arrays["y"] = ints({0, 1, 0, 1});
  const auto splits = static_cast<std::int64_t>(train.size() / 4);
  loaded.arrays["train_masks"] = masks(train, splits, 4);
  loaded.arrays["val_masks"] = masks(val, splits, 4);
  loaded.arrays["test_masks"] = masks(test, splits, 4);
  return loaded;
}

TEST(Assemble, TakesFeaturesLabelsAndSplits) {
  io::Loaded loaded =
      with_masks({1, 0, 0, 0, 0, 0, 1, 1}, {0, 1, 0, 0, 1, 0, 0, 0}, {0, 0, 1, 1, 0, 1, 0, 0});
  loaded.arrays["x"] = io::Array::of(std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8}, {4, 2});

  const Dataset dataset = assembled(std::move(loaded));

  EXPECT_EQ(dataset.node_features, (Features{4, 2, {1, 2, 3, 4, 5, 6, 7, 8}}));
  EXPECT_THAT(dataset.labels, ElementsAre(0, 1, 0, 1));
  EXPECT_EQ(dataset.class_count, 2);
  EXPECT_EQ(dataset.splits, (std::vector<Split>{{{0}, {1}, {2, 3}}, {{2, 3}, {0}, {1}}}));
  EXPECT_EQ(dataset.origin, "small.npz");
  EXPECT_EQ(dataset.format, "by hand");
  EXPECT_THAT(dataset.warnings, IsEmpty());
}

TEST(Assemble, NamesClassesByWordsOrNumbers) {
  io::Loaded loaded = small();
  loaded.arrays["y"] = ints({0, 1, -1, 1});
  EXPECT_EQ(assembled(loaded).class_name(1), "1");

  loaded.arrays["class_names"] = io::Array::of(std::vector<std::string>{"good", "bad", "neither"}, {3});
  const Dataset named = assembled(loaded);
  EXPECT_EQ(named.class_name(1), "bad");
  EXPECT_EQ(named.class_count, 3);

  loaded.arrays["class_names"] = io::Array::of(std::vector<std::string>{"good"}, {1});
  EXPECT_THAT(refused(loaded), HasSubstr("class_names has 1 names, but there is a class 1"));
}

TEST(Assemble, NamesTheFeaturesThatATableBecomes) {
  const std::vector<ColumnCode> columns{{"age", {}, 30, true}, {"town", {"Bonn", "Oslo"}, 0, false}};
  EXPECT_THAT(feature_names(columns), ElementsAre("age", "age is missing", "town=Bonn", "town=Oslo"));
}

TEST(Assemble, UnpacksBitsMostSignificantFirst) {
  io::Loaded loaded = small();
  const std::vector<std::uint8_t> packed = {0b10000001, 0b01000000, 0, 0,
                                            0b11111111, 0b11000000, 0, 0b10000000};
  loaded.arrays["x_bits"] = io::Array::of(packed, {4, 2});
  loaded.arrays["x_shape"] = ints({4, 10});

  const Features x = assembled(std::move(loaded)).node_features;

  ASSERT_EQ(x.cols(), 10);
  EXPECT_THAT(x.values().first(10), ElementsAre(1, 0, 0, 0, 0, 0, 0, 1, 0, 1));
  EXPECT_THAT(x.values().subspan(20, 10), ::testing::Each(1.0F));
  EXPECT_EQ(x.values()[38], 1.0F);
}

TEST(Assemble, KeepsFewBitsAsEntries) {
  io::Loaded loaded = small();
  std::vector<std::uint8_t> packed(32, 0);
  packed[0] = 0b00000001;
  packed[std::size_t{3} * 8 + 7] = 0b10000000;
  loaded.arrays["x_bits"] = io::Array::of(packed, {4, 8});
  loaded.arrays["x_shape"] = ints({4, 64});

  const Features x = assembled(std::move(loaded)).node_features;

  EXPECT_TRUE(x.sparse());
  EXPECT_THAT(x.row_ptr(), ElementsAre(0, 1, 1, 1, 2));
  EXPECT_THAT(x.columns(), ElementsAre(7, 56));
  EXPECT_THAT(x.values(), IsEmpty());
}

TEST(Assemble, ReactionLabelsMakeAHyperedgeTask) {
  io::Loaded loaded = small();
  loaded.arrays["edge_y"] = ints({1, 0});
  loaded.arrays["edge_x"] = io::Array::of(std::vector<double>{0.5, 0.25}, {2, 1});

  const Dataset dataset = assembled(std::move(loaded));

  EXPECT_EQ(dataset.task, Task::hyperedge_classification);
  EXPECT_EQ(dataset.item_count(), 2);
  EXPECT_THAT(dataset.labels, ElementsAre(1, 0));
  EXPECT_EQ(dataset.edge_features, (Features{2, 1, {0.5F, 0.25F}}));
}

TEST(Assemble, ChoosesTheTaskWhereThereAreBothLabels) {
  io::Loaded loaded = small();
  loaded.arrays["y"] = ints({0, 1, 1, 0});
  loaded.arrays["edge_y"] = ints({1, 0});

  const Dataset nodes = assembled(loaded);
  const Dataset edges = assembled(loaded, Task::hyperedge_classification);

  EXPECT_EQ(nodes.labels.size(), 4U);
  EXPECT_THAT(nodes.warnings, ElementsAre(HasSubstr("edge_y is left out")));
  EXPECT_EQ(edges.labels.size(), 2U);
}

TEST(Assemble, NamesNodeAndColumnOfAFeatureThatIsNotFinite) {
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    io::Loaded loaded = small();
    loaded.arrays["x"] = io::Array::of(std::vector<float>{1, 2, 3, 4, 5, bad, 7, 8}, {4, 2});
    const std::string message = refused(std::move(loaded));
    EXPECT_THAT(message, HasSubstr("node 'cid' in column 1"));
  }
}

TEST(Assemble, NamesSplitAndNodeWhereMasksOverlap) {
  const std::string message =
      refused(with_masks({1, 0, 0, 0, 0, 0, 1, 1}, {0, 1, 0, 0, 1, 0, 0, 0}, {0, 0, 1, 1, 0, 1, 0, 1}));

  EXPECT_THAT(message, HasSubstr("split 1: node 'dot' is in train_masks and in test_masks"));
}

TEST(Assemble, RefusesLabelsOfTheWrongLength) {
  io::Loaded loaded = small();
  loaded.arrays["y"] = ints({0, 1, 0});
  EXPECT_THAT(refused(loaded), HasSubstr("y has 3 rows, but the hypergraph has 4 nodes"));

  loaded.arrays["y"] = io::Array::of(std::vector<std::int64_t>{0, 1, 0, 1}, {2, 2});
  EXPECT_THAT(refused(loaded), HasSubstr("y has shape (2, 2)"));
}

TEST(Assemble, KnowsMinusOneAsUnknownAndRefusesOtherLabelsOutOfRange) {
  io::Loaded loaded = small();
  loaded.arrays["y"] = ints({0, -1, 1, 1});
  EXPECT_THAT(assembled(loaded).labels, ElementsAre(0, -1, 1, 1));

  loaded.arrays["y"] = ints({0, 1, -2, 1});
  EXPECT_THAT(refused(loaded), HasSubstr("the label of node 'cid' is -2"));

  loaded.arrays["y"] = ints({0, 1, 2019, 1});
  EXPECT_THAT(refused(loaded), HasSubstr("the label of node 'cid' is 2019"));
}

TEST(Assemble, WarnsAboutClassesWithoutMembers) {
  io::Loaded loaded = small();
  loaded.arrays["y"] = ints({0, 3, 3, 0});

  const Dataset dataset = assembled(std::move(loaded));

  EXPECT_EQ(dataset.class_count, 4);
  EXPECT_THAT(dataset.warnings, ElementsAre("classes run from 0 to 3, but no node has class 1, 2"));
}

TEST(Assemble, RefusesMasksThatDoNotFit) {
  io::Loaded loaded = with_masks({1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 1});
  loaded.arrays["val_masks"] = masks({0, 1, 0}, 1, 3);
  EXPECT_THAT(refused(loaded), HasSubstr("val_masks has shape (1, 3), expected (splits, 4)"));

  loaded.arrays["val_masks"] = masks({0, 1, 0, 0, 0, 1, 0, 0}, 2, 4);
  EXPECT_THAT(refused(loaded), HasSubstr("val_masks has 2 splits, but train_masks has 1"));

  loaded.arrays.erase("val_masks");
  EXPECT_THAT(refused(loaded), HasSubstr("val_masks is missing"));
}

TEST(Assemble, RefusesMaskedItemsWithoutLabelAndEmptyTraining) {
  io::Loaded unlabelled = with_masks({1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 1});
  unlabelled.arrays["y"] = ints({0, 1, 0, -1});
  EXPECT_THAT(refused(unlabelled),
              HasSubstr("split 0: node 'dot' is in test_masks, but its label is not known"));

  EXPECT_THAT(refused(with_masks({0, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 1})),
              HasSubstr("split 0 has no nodes to train on"));
}

TEST(Assemble, RefusesFeaturesThatDoNotFit) {
  io::Loaded loaded = small();
  loaded.arrays["x"] = io::Array::of(std::vector<float>{1, 2, 3}, {3, 1});
  EXPECT_THAT(refused(loaded), HasSubstr("x has 3 rows, but the hypergraph has 4 nodes"));

  loaded.arrays.clear();
  loaded.arrays["x_bits"] = io::Array::of(std::vector<std::uint8_t>{1, 2, 3, 4}, {4, 1});
  EXPECT_THAT(refused(loaded), HasSubstr("x_shape is missing beside x_bits"));
  loaded.arrays["x_shape"] = ints({4, 9});
  EXPECT_THAT(refused(loaded), HasSubstr("expected uint8 of shape (4, 2)"));
}

TEST(Assemble, SaysWhichArraysItLeavesOut) {
  io::Loaded loaded = small();
  loaded.arrays["colour"] = ints({1, 2});
  EXPECT_THAT(assembled(std::move(loaded)).warnings,
              ElementsAre("the array colour is not understood and left out"));
}

}  // namespace
}  // namespace dshn::data
