// Targets that are no classes: numbers and sets of labels, from arrays, tables and attributes.
#include <gmock/gmock.h>

#include <cmath>

#include "data/support.hpp"
#include "dshn/data/assemble.hpp"
#include "dshn/data/digests.hpp"
#include "dshn/data/measure.hpp"
#include "dshn/data/reading.hpp"
#include "dshn/data/splits.hpp"
#include "dshn/io/load.hpp"

namespace dshn::data {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::message_of;
using ::testing::NanSensitiveDoubleEq;
using testing::write_text;

constexpr const char* kTwoDeals =
    "hyperedge,node,role\nd1,acme,tail\nd1,bolt,head\nd2,bolt,tail\nd2,core,head\nd2,dune,head\n";

class TargetsTest : public ::testing::Test {
 protected:
  TargetsTest() { put("deals.csv", kTwoDeals); }

  std::string put(const std::string& name, const std::string& text) {
    write_text(folder_.path() / name, text);
    return (folder_.path() / name).string();
  }
  Dataset read(const Assignments& reading, const std::optional<DataCode>& like = {},
               const std::string& file = "deals.csv") {
    OpenOptions options = open_options(reading);
    options.like = like;
    return open((folder_.path() / file).string(), options);
  }
  std::string refusal(const Assignments& reading, const std::optional<DataCode>& like = {}) {
    return message_of<InvalidInput>([&] { read(reading, like); });
  }
  /// What an array y of the four nodes becomes.
  Dataset of_array(io::Array y, std::optional<TargetKind> target = {}) {
    io::Loaded loaded = io::load(folder_.path() / "deals.csv", {});
    loaded.arrays["y"] = std::move(y);
    return assemble(std::move(loaded), {"small", "small.npz", {}, target});
  }

  TemporaryFolder folder_;
};

/// So many nodes, one of them in a hyperedge.
Hypergraph hypergraph_of(Index nodes) {
  const std::vector<Index> zero{0};
  const std::vector<Role> role{Role::tail};
  return {nodes, 1, {zero, zero, role}};
}

/// Numbers of which NaN equals NaN.
auto numbers(const std::vector<double>& expected) {
  std::vector<::testing::Matcher<double>> each;
  for (const double value : expected) each.emplace_back(NanSensitiveDoubleEq(value));
  return ::testing::ElementsAreArray(each);
}

const double kNan = std::nan("");

TEST_F(TargetsTest, AColumnOfNumbersIsJoinedByIdAndAGapIsNotKnown) {
  const std::string file = put("prices.csv", "id,price\ndune,-2.5\nacme,1e3\nbolt,NA\ncore,7\n");

  const Dataset dataset = read({{"labels", file}, {"target", "numbers"}});

  EXPECT_EQ(dataset.code.target, TargetKind::numbers);
  EXPECT_THAT(dataset.values, numbers({1000, kNan, 7, -2.5}));
  EXPECT_THAT(dataset.labels, IsEmpty());
  EXPECT_EQ(dataset.class_count, 1);
  EXPECT_THAT(dataset.code.class_names, ElementsAre("price"));
  EXPECT_TRUE(dataset.is_known(0));
  EXPECT_FALSE(dataset.is_known(1));
  EXPECT_THAT(dataset.notes, Contains(HasSubstr("3 of 4 nodes have numbers: price -2.5 to 1000")));
  const NumberRange range = number_ranges(dataset).at(0);
  EXPECT_DOUBLE_EQ(range.mean, (1000 + 7 - 2.5) / 3);
}

TEST_F(TargetsTest, AWordInAColumnOfNumbersIsNamedWithItsLine) {
  const std::string file = put("prices.csv", "id,price\nacme,1\nbolt,cheap\n");

  EXPECT_THAT(refusal({{"labels", file}, {"target", "numbers"}}),
              AllOf(HasSubstr(file), HasSubstr("line 3"), HasSubstr("'cheap'"), HasSubstr("'price'"),
                    HasSubstr("no number")));
  const std::string gaps = put("gaps.csv", "id,price\nacme,\nbolt,\n");
  EXPECT_THAT(refusal({{"labels", gaps}, {"target", "numbers"}}), HasSubstr("no number for any item"));
}

TEST_F(TargetsTest, SeveralColumnsOfNumbersAreNamedByCommas) {
  const std::string file =
      put("firms.csv", "id,price,size,town\nacme,1,10,Oslo\nbolt,2,,Rome\ncore,3,30,Rome\n");

  const Dataset dataset =
      read({{"labels", file}, {"features", file}, {"label_attribute", "size,price"}, {"target", "numbers"}});

  EXPECT_EQ(dataset.class_count, 2);
  EXPECT_THAT(dataset.values, numbers({10, 1, kNan, kNan, 30, 3, kNan, kNan}))
      << "an item without one of its numbers has none";
  EXPECT_THAT(dataset.node_feature_names, ElementsAre("town=Oslo", "town=Rome", "(row)=missing"))
      << "what is to be predicted is no feature";
}

TEST_F(TargetsTest, WordsAreSplitIntoLabels) {
  const std::string file = put("tags.csv", "id,label\nacme,red; round\nbolt,|\ncore,\ndune,round|blue|red\n");

  const Dataset dataset = read({{"labels", file}, {"target", "labels"}});

  EXPECT_EQ(dataset.code.target, TargetKind::labels);
  EXPECT_THAT(dataset.code.class_names, ElementsAre("blue", "red", "round"));
  EXPECT_THAT(dataset.values, numbers({0, 1, 1, 0, 0, 0, kNan, kNan, kNan, 1, 1, 1}))
      << "a separator alone: none of them";
  EXPECT_THAT(dataset.notes, Contains(HasSubstr("3 of 4 nodes any of 3 labels (blue 1, red 2, round 2)")));
}

TEST_F(TargetsTest, ColumnsOfZeroAndOneAreLabels) {
  const std::string file =
      put("tags.csv", "id,red,round,split\nacme,1,0,train\nbolt,0,0,val\ncore,1,,test\n");

  const Dataset dataset = read({{"labels", file}, {"target", "labels"}});

  EXPECT_THAT(dataset.code.class_names, ElementsAre("red", "round"));
  EXPECT_THAT(dataset.values, numbers({1, 0, 0, 0, kNan, kNan, kNan, kNan}));
  ASSERT_EQ(dataset.splits.size(), 1U);
  EXPECT_THAT(dataset.splits[0].test, IsEmpty()) << "its labels are not known";
  const std::string wrong = put("wrong.csv", "id,red,round\nacme,1,yes\n");
  EXPECT_THAT(refusal({{"labels", wrong}, {"target", "labels"}}),
              AllOf(HasSubstr("line 2"), HasSubstr("'yes' in column 'round' is neither 1 nor 0")));
}

TEST_F(TargetsTest, HyperedgesHaveThemToo) {
  const std::string file = put("deals-tags.csv", "hyperedge,label\nd2,3.5\nd1,4\n");

  const Dataset dataset = read({{"hyperedge_labels", file}, {"target", "numbers"}});

  EXPECT_EQ(dataset.task, Task::hyperedge_classification);
  EXPECT_THAT(dataset.values, numbers({4, 3.5}));
  EXPECT_EQ(task_words(dataset.task, dataset.code.target), "hyperedge regression");
}

TEST_F(TargetsTest, AttributesOfHifAreReadAsTheyStand) {
  put("graph.json",
      R"({"nodes":[{"node":"a","attrs":{"label":0}},{"node":"b","attrs":{"label":-1}},{"node":"c"}],)"
      R"("incidences":[{"edge":"e","node":"a"},{"edge":"e","node":"b"},{"edge":"e","node":"c"}]})");

  const Dataset dataset = read({{"target", "numbers"}}, {}, "graph.json");

  EXPECT_THAT(dataset.values, numbers({0, -1, kNan})) << "-1 is a number among numbers";
}

TEST_F(TargetsTest, SeveralAttributesOfHifAreLabels) {
  put("graph.json",
      R"({"nodes":[{"node":"a","attrs":{"red":1,"round":0,"age":3}},{"node":"b","attrs":{"red":1}}],)"
      R"("incidences":[{"edge":"e","node":"a"},{"edge":"e","node":"b"}]})");

  const Dataset dataset = read({{"target", "labels"}, {"label_attribute", "round,red"}}, {}, "graph.json");

  EXPECT_THAT(dataset.code.class_names, ElementsAre("round", "red"));
  EXPECT_THAT(dataset.values, numbers({0, 1, kNan, kNan}));
}

TEST_F(TargetsTest, ArraysAreTakenByTypeAndShape) {
  using Doubles = std::vector<double>;
  using Ints = std::vector<std::int64_t>;
  const auto kind = [&](io::Array y) { return of_array(std::move(y)).code.target; };
  EXPECT_EQ(kind(io::Array::of(Ints{0, 1, 0, -1}, {4})), TargetKind::classes);
  EXPECT_EQ(kind(io::Array::of(Doubles{0, 1, 0, 1}, {4})), TargetKind::numbers);
  EXPECT_EQ(kind(io::Array::of(Ints{0, 1, 0, 1}, {4, 1})), TargetKind::classes);
  EXPECT_EQ(kind(io::Array::of(Ints{0, 1, 0, 1, 1, 1, -1, -1}, {4, 2})), TargetKind::labels);
  EXPECT_EQ(kind(io::Array::of(Doubles{0, 1, 0, 1, 1, 1, kNan, kNan}, {4, 2})), TargetKind::labels);
  EXPECT_EQ(kind(io::Array::of(Doubles{0, 1, 0, 1, 1, 2.5, kNan, 3}, {4, 2})), TargetKind::numbers);

  const Dataset labels = of_array(io::Array::of(Ints{0, 1, 0, 1, 1, 1, -1, -1}, {4, 2}));
  EXPECT_THAT(labels.values, numbers({0, 1, 0, 1, 1, 1, kNan, kNan}));
  const Dataset years = of_array(io::Array::of(Ints{1999, -1, 3, 4}, {4}), TargetKind::numbers);
  EXPECT_THAT(years.values, numbers({1999, -1, 3, 4}));
  EXPECT_THAT(message_of<InvalidInput>([&] {
                of_array(io::Array::of(Ints{0, 1, 2}, {3}), TargetKind::numbers);
              }),
              HasSubstr("y has shape (3,), expected a row for each of 4 nodes"));
  EXPECT_THAT(message_of<InvalidInput>([&] {
                of_array(io::Array::of(Ints{0, 1, 2, 1, 1, 1, 1, 1}, {4, 2}), TargetKind::labels);
              }),
              AllOf(HasSubstr("node 'bolt' has 2"), HasSubstr("expected 1 or 0")));
  EXPECT_THAT(message_of<InvalidInput>([&] {
                of_array(io::Array::of(Doubles{0, 1, INFINITY, 1}, {4}));
              }),
              HasSubstr("expected a finite number"));
}

TEST_F(TargetsTest, AFolderGivesThemBack) {
  const std::string tags = put("tags.csv", "id,label\nacme,red;round\nbolt,;\ndune,round\n");
  const std::string prices = put("prices.csv", "id,price\nacme,1\nbolt,0\ncore,1\n");
  const std::vector<Assignments> ways{{{"labels", tags}, {"target", "labels"}},
                                      {{"labels", prices}, {"target", "numbers"}}};
  for (std::size_t i = 0; i < ways.size(); ++i) {
    const std::string path = (folder_.path() / "deals.csv").string();
    const std::string out = (folder_.path() / ("folder" + std::to_string(i))).string();

    EXPECT_THAT(io::save(open_arrays(path, open_options(ways[i])).loaded, out), IsEmpty());

    const Dataset before = read(ways[i]);
    const Dataset after = open(out);
    EXPECT_EQ(after.code.target, before.code.target);
    EXPECT_EQ(after.code.class_names, before.code.class_names);
    EXPECT_EQ(digests_of(after), digests_of(before));
  }
}

TEST_F(TargetsTest, AModelSeesTargetsOfItsOwnKindAlone) {
  const std::string prices = put("prices.csv", "id,price\nacme,1\nbolt,0.5\ncore,1\n");
  const std::string kinds = put("kinds.csv", "id,label\nacme,buyer\nbolt,seller\n");
  const std::string tags = put("tags.csv", "id,label\nacme,red;round\nbolt,;\ndune,round\n");
  const DataCode of_numbers = read({{"labels", prices}, {"target", "numbers"}}).code;
  const DataCode of_labels = read({{"labels", tags}, {"target", "labels"}}).code;

  EXPECT_EQ(read({}, of_numbers).code.target, TargetKind::numbers) << "data without targets is fine";
  EXPECT_THAT(read({{"labels", prices}}, of_numbers).values, numbers({1, 0.5, 1, kNan}))
      << "nobody has to say it again";
  EXPECT_THAT(refusal({{"labels", kinds}, {"target", "classes"}}, of_numbers),
              HasSubstr("has classes to predict, but the model was trained on numbers"));
  EXPECT_THAT(refusal({{"labels", kinds}}, of_labels), HasSubstr("label 'buyer' is not one that the model"));
  const std::string fewer = put("fewer.csv", "id,label\nacme,round\n");
  const Dataset like = read({{"labels", fewer}}, of_labels);
  EXPECT_THAT(like.code.class_names, ElementsAre("red", "round"));
  EXPECT_THAT(like.values, numbers({0, 1, kNan, kNan, kNan, kNan, kNan, kNan}));
}

TEST_F(TargetsTest, AreSplitAtRandom) {
  std::vector<double> values;
  for (int i = 0; i < 20; ++i) values.push_back(i == 3 ? kNan : 0.5 * i);
  Dataset dataset;
  dataset.name = "line";
  dataset.hypergraph = hypergraph_of(20);
  dataset.values = values;
  dataset.class_count = 1;
  dataset.code.target = TargetKind::numbers;

  const SplitSet set = make_splits(dataset, default_splits(dataset));

  EXPECT_THAT(set.protocol, HasSubstr("60/20/20 % of the nodes, not stratified"));
  EXPECT_EQ(set.splits[0].train.size() + set.splits[0].val.size() + set.splits[0].test.size(), 19U);
  EXPECT_THAT(split_options(dataset, "50/25/25").kind, SplitKind::random);
  EXPECT_THAT(message_of<UsageError>([&] { make_splits(dataset, split_options(dataset, "stratified")); }),
              AllOf(HasSubstr("stratified splits are drawn class by class"), HasSubstr("numbers"),
                    HasSubstr("choose random")));
}

TEST_F(TargetsTest, TellDataApart) {
  Dataset one;
  one.hypergraph = hypergraph_of(2);
  one.values = {1, 0};
  one.class_count = 1;
  one.code.target = TargetKind::numbers;
  Dataset two = one;
  two.values[1] = 0.5;
  Dataset three = one;
  three.code.target = TargetKind::labels;

  EXPECT_NE(digests_of(one).labels, digests_of(two).labels);
  EXPECT_NE(digests_of(one).labels, digests_of(three).labels);
}

}  // namespace
}  // namespace dshn::data
