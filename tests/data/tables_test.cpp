// Labels and features from tables: joined by id, coded as code.hpp says.
#include <gmock/gmock.h>

#include <algorithm>

#include "data/support.hpp"
#include "dshn/base/random.hpp"
#include "dshn/data/reading.hpp"

namespace dshn::data {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::message_of;
using testing::write_text;

constexpr const char* kDeals =
    "deal,company,role\n"
    "d1,acme,tail\nd1,bolt,head\nd2,bolt,tail\nd2,core,head\nd2,dune,head\nd3,acme,tail\nd3,dune,head\n";

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += part;
  return text;
}

class TablesTest : public ::testing::Test {
 protected:
  TablesTest() { put("deals.csv", kDeals); }

  std::string put(const std::string& name, const std::string& text) {
    write_text(folder_.path() / name, text);
    return (folder_.path() / name).string();
  }
  Dataset read(Assignments reading, const std::optional<DataCode>& like = {}) {
    reading.emplace("columns", "hyperedge=deal,node=company");
    OpenOptions options = open_options(reading);
    options.like = like;
    return open((folder_.path() / "deals.csv").string(), options);
  }
  std::string refusal(const Assignments& reading, const std::optional<DataCode>& like = {}) {
    return message_of<InvalidInput>([&] { read(reading, like); });
  }
  /// Row after row.
  static std::vector<float> values(const Features& features) { return features.dense_values(); }

  TemporaryFolder folder_;
};

TEST_F(TablesTest, AColumnOfAFileOfHyperedgesHasTheirWeights) {
  const std::string features = put("sums.csv", "deal,sum,weight\nd3,30,0.5\nd1,10,4\nd2,20,\n");

  const Dataset dataset = read({{"hyperedge_features", features}});

  EXPECT_THAT(dataset.hypergraph.edge_weights(), ElementsAre(4, 1, 0.5));
  EXPECT_THAT(dataset.edge_feature_names, ElementsAre("sum"));
  EXPECT_THAT(dataset.notes, Contains(features + ": column 'weight' has the weights of the hyperedges"));

  const Dataset as_feature =
      read({{"hyperedge_features", features}, {"hyperedge_feature_attributes", "weight"}});
  EXPECT_FALSE(as_feature.hypergraph.weighted());
  EXPECT_THAT(as_feature.edge_feature_names, ElementsAre("weight", "weight is missing"));

  EXPECT_THAT(refusal({{"hyperedge_features", put("bad.csv", "deal,weight\nd1,-1\n")}}),
              HasSubstr("bad.csv, line 2: '-1' is not a weight, a finite number above 0"));
  put("deals.csv", "deal,company,weight\nd1,acme,2\nd1,bolt,2\n");
  EXPECT_THAT(refusal({{"hyperedge_features", features}}),
              HasSubstr("the hyperedges have weights in the hypergraph's file and here"));
}

TEST_F(TablesTest, LabelsAreJoinedByIdWhateverTheirOrder) {
  const std::string labels = put("labels.csv", "company,label\ndune,seller\nacme,buyer\nbolt,\ncore,buyer\n");

  const Dataset dataset = read({{"labels", labels}});

  EXPECT_THAT(dataset.code.class_names, ElementsAre("buyer", "seller"));
  EXPECT_THAT(dataset.labels, ElementsAre(0, -1, 0, 1)) << "acme, bolt, core, dune";
  EXPECT_EQ(dataset.class_count, 2);
  EXPECT_THAT(dataset.warnings, IsEmpty());
  EXPECT_THAT(dataset.notes, Contains(HasSubstr("labels 3 of 4 nodes: 2 classes (buyer 2, seller 1)")));
}

TEST_F(TablesTest, IntegersFromZeroKeepNoNames) {
  const std::string labels = put("labels.csv", "acme,1.0\nbolt,0.0\ncore,\ndune,2.0\n");

  const Dataset dataset = read({{"labels", labels}});

  EXPECT_THAT(dataset.code.class_names, IsEmpty());
  EXPECT_THAT(dataset.labels, ElementsAre(1, 0, -1, 2));
}

TEST_F(TablesTest, OtherIntegersAreClassesInTheOrderOfTheirValues) {
  const std::string labels = put("labels.csv", "acme,10\nbolt,9\ncore,-1\n");

  const Dataset dataset = read({{"labels", labels}});

  EXPECT_THAT(dataset.code.class_names, ElementsAre("-1", "9", "10"));
  EXPECT_THAT(dataset.labels, ElementsAre(2, 1, 0, -1));
}

TEST_F(TablesTest, IdsWithoutAPartnerAreCountedAndNamed) {
  const std::string labels = put("labels.csv", "id,label\nacme,a\nzeta,b\nbolt,b\nomega,a\n");
  const std::string features = put("features.csv", "id,size\nacme,1\nomega,2\n");

  const Dataset dataset = read({{"labels", labels}, {"features", features}});

  EXPECT_THAT(dataset.warnings,
              Contains(HasSubstr("labels.csv: 2 of 4 ids are no nodes of the hypergraph and are left out: "
                                 "'zeta', 'omega'")));
  EXPECT_THAT(
      dataset.warnings,
      Contains(HasSubstr("features.csv: 3 of 4 nodes have no row, and their features count as missing: "
                         "'bolt', 'core', 'dune'")));
  EXPECT_THAT(dataset.notes, Contains(HasSubstr("without a row are 2: 'core', 'dune'")));
  EXPECT_THAT(dataset.node_feature_names, ElementsAre("size", "(row)=missing"));
  EXPECT_THAT(values(dataset.node_features), ElementsAre(1, 0, 1, 1, 1, 1, 1, 1));
}

TEST_F(TablesTest, AFileOfStrangersIsRefused) {
  EXPECT_THAT(
      refusal({{"labels", put("labels.csv", "id,label\nx,a\ny,b\n")}}),
      HasSubstr(
          "labels.csv: none of its 2 ids is a node of the hypergraph: 'x', 'y' there, 'acme', ... here"));
}

TEST_F(TablesTest, NumbersWordsAndGapsBecomeColumns) {
  const std::string features =
      put("features.csv", "company,age,town\ncore,,Rome\nacme,10,Oslo\ndune,5,\nbolt,3,Oslo\n");

  const Dataset dataset = read({{"features", features}});

  EXPECT_THAT(dataset.node_feature_names,
              ElementsAre("age", "age is missing", "town=Oslo", "town=Rome", "town is missing"));
  EXPECT_THAT(values(dataset.node_features), ElementsAre(10, 0, 1, 0, 0,  //
                                                         3, 0, 1, 0, 0,   //
                                                         6, 1, 0, 1, 0,   //
                                                         5, 0, 0, 0, 1));
  EXPECT_EQ(dataset.code.node_columns[0], (ColumnCode{"age", {}, 6, true}));
  EXPECT_EQ(dataset.code.node_columns[1], (ColumnCode{"town", {"Oslo", "Rome"}, 0, true}));
  EXPECT_THAT(dataset.notes,
              Contains(HasSubstr("5 columns of features; numbers: age; words, a column each: town (2); "
                                 "with gaps, marked by a column: age, town")));
}

TEST_F(TablesTest, TheOrderOfRowsDoesNotChangeABit) {
  std::vector<std::string> rows{"acme,0.1,a", "bolt,0.2,b", "core,0.3,", "dune,,a"};
  const auto text = [&] {
    std::string all = "id,x,kind\n";
    for (const std::string& row : rows) all += row + "\n";
    return all;
  };
  const Dataset first = read({{"features", put("features.csv", text())}});
  Random random(3);
  for (int i = 0; i < 10; ++i) {
    random.shuffle(rows);
    const Dataset again = read({{"features", put("features.csv", text())}});
    EXPECT_EQ(again.node_features, first.node_features);
    EXPECT_EQ(again.code, first.code);
  }
}

TEST_F(TablesTest, WordsThatNearlyAllDifferAreLeftOut) {
  std::string deals = "hyperedge,node\n";
  std::string features = "id,name,kind\n";
  for (int i = 0; i < 40; ++i) {
    const std::string number = std::to_string(i);
    deals += joined({"e,n", number, "\n"});
    features += joined({"n", number, ",name ", number, i % 2 == 0 ? ",a\n" : ",b\n"});
  }
  put("deals.csv", deals);

  const Dataset dataset = read({{"features", put("features.csv", features)}, {"columns", ""}});

  EXPECT_THAT(dataset.node_feature_names, ElementsAre("kind=a", "kind=b"));
  EXPECT_THAT(dataset.warnings,
              Contains(HasSubstr("column 'name' has 40 different words in 40 rows and is left out")));
}

TEST_F(TablesTest, RefusesNumbersThatAreNone) {
  EXPECT_THAT(refusal({{"features", put("f.csv", "id;age\nacme;3,5\nbolt;4\n")}}),
              AllOf(HasSubstr("f.csv, line 2: '3,5' in column 'age' has a decimal or thousands comma"),
                    HasSubstr("expected a number with a decimal point")));
  EXPECT_THAT(refusal({{"features", put("f.csv", "id,age\nacme,1e300\nbolt,4\n")}}),
              HasSubstr("f.csv, line 2: '1e300' in column 'age' is too large a number"));
}

TEST_F(TablesTest, RefusesClassesThatAreNumbersToPredict) {
  std::string deals = "hyperedge,node\n";
  std::string labels = "id,label\n";
  for (int i = 0; i < 30; ++i) {
    const std::string number = std::to_string(i);
    deals += joined({"e,n", number, "\n"});
    labels += joined({"n", number, ",", std::to_string(0.37 * i), "\n"});
  }
  put("deals.csv", deals);
  EXPECT_THAT(refusal({{"labels", put("labels.csv", labels)}, {"columns", ""}}),
              HasSubstr("column 'label' has 30 different labels in 30 rows; expected classes"));
}

TEST_F(TablesTest, HyperedgesHaveLabelsAndFeaturesToo) {
  const std::string labels = put("labels.csv", "deal,kind\nd3,sale\nd1,loan\nd2,sale\n");
  const std::string features = put("features.csv", "deal,amount\nd2,20\nd1,10\nd3,30\n");

  const Dataset dataset = read({{"hyperedge_labels", labels}, {"hyperedge_features", features}});

  EXPECT_EQ(dataset.task, Task::hyperedge_classification);
  EXPECT_THAT(dataset.labels, ElementsAre(0, 1, 1));
  EXPECT_THAT(values(dataset.edge_features), ElementsAre(10, 20, 30));
  EXPECT_THAT(dataset.edge_feature_names, ElementsAre("amount"));
  EXPECT_THAT(dataset.node_feature_names, IsEmpty());
}

TEST_F(TablesTest, OneTableMayHoldLabelsSplitAndFeatures) {
  const std::string table =
      put("nodes.csv", "id,label,split,size\nacme,a,train,1\nbolt,b,val,2\ncore,a,test,3\ndune,,test,4\n");

  const Dataset dataset = read({{"features", table}});

  EXPECT_THAT(dataset.labels, ElementsAre(0, 1, 0, -1));
  EXPECT_THAT(dataset.node_feature_names, ElementsAre("size"));
  ASSERT_EQ(dataset.splits.size(), 1U);
  EXPECT_EQ(dataset.splits[0], (Split{{0}, {1}, {2}}));
  EXPECT_EQ(dataset.splits_from, "column 'split' of " + table);
  EXPECT_THAT(dataset.warnings,
              Contains(HasSubstr("1 nodes that column 'split' puts into a part have no label")));
}

TEST_F(TablesTest, ChoosesColumnsByName) {
  const std::string table = put("nodes.csv", "key,kind,size,age,part\nacme,a,1,5,train\nbolt,b,2,6,test\n");

  const Dataset dataset = read({{"features", table},
                                {"columns", "hyperedge=deal,node=company,id=key"},
                                {"label_attribute", "kind"},
                                {"feature_attributes", "age"},
                                {"split_column", "none"}});

  EXPECT_THAT(dataset.code.class_names, ElementsAre("a", "b"));
  EXPECT_THAT(dataset.node_feature_names, ElementsAre("age", "(row)=missing"));
  EXPECT_THAT(dataset.splits, IsEmpty());
}

TEST_F(TablesTest, NamesColumnsThatAreNotThere) {
  const std::string table = put("t.csv", "id,kind,size\nacme,a,1\nbolt,b,2\n");
  EXPECT_THAT(refusal({{"labels", table}}),
              HasSubstr("none of the columns kind, size is called label; which one has the classes?"));
  EXPECT_THAT(refusal({{"labels", table}, {"label_attribute", "klass"}}),
              HasSubstr("t.csv: there is no column 'klass'; it has kind, size"));
  EXPECT_THAT(refusal({{"features", table}, {"feature_attributes", "age"}}),
              HasSubstr("there is no column or attribute 'age'"));
  EXPECT_THAT(refusal({{"features", table}, {"split_column", "part"}}), HasSubstr("has a column 'part'"));
  EXPECT_THAT(refusal({{"labels", table}, {"columns", "hyperedge=deal,node=company,label=klass"}}),
              HasSubstr("columns: no table of nodes or hyperedges has a column 'klass' for label"));
}

TEST_F(TablesTest, SplitsHaveThreeWords) {
  EXPECT_THAT(
      refusal({{"features", put("t.csv", "id,label,split\nacme,a,train\nbolt,b,tset\n")}}),
      HasSubstr("t.csv, line 3: 'tset' in column 'split' is no part of a split; expected train, val, test"));
}

TEST_F(TablesTest, RanksTimesByNumberOrDate) {
  const std::string dates =
      put("t.csv", "id,when\nacme,2024-03-01\nbolt,2023-12-24\ncore,2024-03-01\ndune,\n");
  EXPECT_THAT(read({{"features", dates}, {"time_column", "when"}}).times, ElementsAre(1, 0, 1, -1));
  const std::string numbers = put("t.csv", "id,when\nacme,10\nbolt,9\ncore,-1\ndune,9.0\n");
  EXPECT_THAT(read({{"features", numbers}, {"time_column", "when"}}).times, ElementsAre(2, 1, 0, 1));
  EXPECT_THAT(refusal({{"features", put("t.csv", "id,when\nacme,May\n")}, {"time_column", "when"}}),
              HasSubstr("t.csv, line 2: 'May' in column 'when' is no time"));
}

TEST_F(TablesTest, OnlyThePredictedItemsNeedColumnsOfPartsAndTimes) {
  const std::string nodes =
      put("n.csv", "id,label,part,when,x\nacme,a,train,3,1\nbolt,b,val,2,2\ncore,a,test,1,3\n");
  const Assignments reading{{"features", nodes},
                            {"hyperedge_features", put("e.csv", "id,sum\nd1,1\nd2,2\nd3,3\n")},
                            {"split_column", "part"},
                            {"time_column", "when"}};

  const Dataset dataset = read(reading);

  EXPECT_EQ(dataset.splits[0], (Split{{0}, {1}, {2}}));
  EXPECT_THAT(dataset.times, ElementsAre(2, 1, 0, -1));
  EXPECT_THAT(dataset.node_feature_names, ElementsAre("x", "(row)=missing"));
  EXPECT_THAT(dataset.edge_feature_names, ElementsAre("sum"));
  Assignments of_edges = reading;
  of_edges["task"] = "hyperedges";
  EXPECT_THAT(refusal(of_edges), HasSubstr("no table or attribute of the hyperedges has a column 'part'"));
}

TEST_F(TablesTest, ReadsStandardInputOnceAtMost) {
  EXPECT_THAT(message_of<UsageError>([&] {
                read({{"labels", "-"}, {"features", "-"}});
              }),
              HasSubstr("two files are to be read from standard input"));
}

class ReadLikeTest : public TablesTest {
 protected:
  DataCode trained() {
    return read({{"labels", put("labels.csv", "id,label\nacme,red\nbolt,blue\n")},
                 {"features",
                  put("features.csv", "id,age,town\nacme,1,Oslo\nbolt,2,Rome\ncore,3,Rome\ndune,6,Oslo\n")}})
        .code;
  }
};

TEST_F(ReadLikeTest, GivesTheSameColumnsAndClasses) {
  const DataCode code = trained();
  const std::string labels = put("new.csv", "id,label\ncore,red\n");
  const std::string features = put("f.csv", "town,id,age\nBonn,core,8\nRome,acme,\n,bolt,9\n");

  const Dataset dataset = read({{"labels", labels}, {"features", features}}, code);

  EXPECT_EQ(dataset.code, code);
  EXPECT_THAT(dataset.labels, ElementsAre(-1, -1, 1, -1)) << "blue is 0, red is 1, as before";
  EXPECT_EQ(dataset.class_count, 2);
  EXPECT_THAT(values(dataset.node_features), ElementsAre(3, 0, 1,  //
                                                         9, 0, 0,  //
                                                         8, 0, 0,  //
                                                         3, 0, 0));
  EXPECT_THAT(dataset.warnings,
              Contains(HasSubstr("1 values of column 'town' are words that the model was not trained "
                                 "on, the first 'Bonn'")));
  EXPECT_THAT(dataset.warnings, Contains(HasSubstr("1 values of column 'age' are missing")));
}

TEST_F(ReadLikeTest, NamesWhatDoesNotFit) {
  const DataCode code = trained();
  EXPECT_THAT(
      refusal({{"labels", put("new.csv", "id,label\ncore,green\n")}}, code),
      HasSubstr(
          "new.csv, line 2: class 'green' is not one that the model was trained on; known are blue, red"));
  EXPECT_THAT(refusal({{"features", put("f.csv", "id,town\nacme,Rome\n")}}, code),
              HasSubstr("f.csv: trained on 2 columns (age, town), this table has 1; missing: age"));
  EXPECT_THAT(refusal({{"features", put("f.csv", "id,town,age\nacme,Rome,old\n")}}, code),
              HasSubstr("f.csv, line 2: 'old' in column 'age' is not a number"));
  EXPECT_THAT(refusal({}, code), HasSubstr("there is no such table here"));
}

TEST_F(ReadLikeTest, NeedsNoLabelsPartsOrTimes) {
  const std::string features = put("f.csv", "id,town,age\nacme,Rome,3\n");

  const Dataset dataset = read({{"features", features},
                                {"columns", "hyperedge=deal,node=company,label=kind"},
                                {"label_attribute", "kind"},
                                {"split_column", "part"},
                                {"time_column", "when"}},
                               trained());

  EXPECT_THAT(dataset.labels, IsEmpty());
  EXPECT_THAT(dataset.splits, IsEmpty());
}

TEST_F(ReadLikeTest, LeavesOutColumnsThatAreNew) {
  const std::string features = put("f.csv", "id,town,age,size\nacme,Rome,3,1\n");

  const Dataset dataset = read({{"features", features}}, trained());

  EXPECT_EQ(dataset.node_features.cols(), 3);
  EXPECT_THAT(dataset.warnings,
              Contains(HasSubstr("columns that the model was not trained on are left out: size")));
}

}  // namespace
}  // namespace dshn::data
