#include "dshn/data/open.hpp"

#include <gmock/gmock.h>

#include "data/support.hpp"
#include "dshn/data/catalog.hpp"
#include "dshn/data/measure.hpp"
#include "dshn/io/npz.hpp"

namespace dshn::data {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using testing::Environment;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::message_of;
using testing::write_text;

constexpr const char* kSmall = R"({"network-type": "directed",
  "nodes": [{"node": 0}, {"node": 1}, {"node": 2}], "edges": [{"edge": 0}],
  "incidences": [{"edge": 0, "node": 0, "direction": "tail"}, {"edge": 0, "node": 2, "direction": "head"}]})";

class OpenTest : public ::testing::Test {
 protected:
  void put(const fs::path& folder, const std::vector<std::int64_t>& labels) {
    write_text(folder / "hypergraph.hif.json", kSmall);
    io::write_npz(folder / "nodes.npz",
                  {{"y", io::Array::of(labels, {static_cast<std::int64_t>(labels.size())})}});
  }

  TemporaryFolder folder_;
  fs::path data_ = folder_.path() / "data";
  fs::path cache_ = folder_.path() / "cache" / "dshn";
  Environment data_dir_{"DSHN_DATA_DIR", data_.string()};
  Environment xdg_{"XDG_CACHE_HOME", (folder_.path() / "cache").string()};
};

TEST_F(OpenTest, FindsNamesInTheDataFolderThenInTheCache) {
  put(cache_ / "cora", {0, 0, 1});
  EXPECT_THAT(open("cora").labels, ElementsAre(0, 0, 1));
  put(data_ / "cora", {1, 1, 0});
  EXPECT_THAT(open("cora").labels, ElementsAre(1, 1, 0));
  EXPECT_EQ(open("cora").name, "cora");
  EXPECT_EQ(open("cora").origin, (data_ / "cora").string());
}

TEST_F(OpenTest, IsKnownToSucceedWithoutReading) {
  fs::create_directories(data_ / "cora");  // empty: to open it would fail
  for (const char* name : {"cora", "synthetic-io10", "synthetic-generated-io10"})
    EXPECT_TRUE(is_here(name)) << name;
  for (const char* name : {"citeseer", "molecular-2", "mine"}) EXPECT_FALSE(is_here(name)) << name;
}

TEST_F(OpenTest, FindsTheUsersOwnSetsByName) {
  put(data_ / "mine", {0, 1, 1});
  EXPECT_EQ(open("mine").name, "mine");
}

TEST_F(OpenTest, BuiltInSetsAreReadWithoutWeightsOfIncidences) {
  const std::string weighed =
      R"({"incidences": [{"edge": 0, "node": 0, "weight": 3}, {"edge": 0, "node": 1}]})";
  write_text(data_ / "telegram" / "hypergraph.hif.json", weighed);
  write_text(data_ / "mine" / "hypergraph.hif.json", weighed);

  EXPECT_THAT(open("mine").hypergraph.incidence_weights(), ElementsAre(3, 1));
  const Dataset built_in = open("telegram");
  EXPECT_THAT(built_in.hypergraph.incidence_weights(), IsEmpty());
  EXPECT_THAT(built_in.warnings,
              ElementsAre("the weights of 1 incidences are not used: members count alike"));
  EXPECT_THAT(open_arrays("telegram").loaded.hypergraph.incidence_weights(), IsEmpty());
}

TEST_F(OpenTest, OpensFoldersAndFiles) {
  const fs::path folder = folder_.path() / "else" / "where.v2";
  put(folder, {0, 1, 1});

  const Dataset from_folder = open(folder.string() + "/");
  const Dataset from_file = open((folder / "hypergraph.hif.json").string());

  EXPECT_EQ(from_folder.name, "where.v2");
  EXPECT_THAT(from_folder.labels, ElementsAre(0, 1, 1));
  EXPECT_EQ(from_file.name, "hypergraph");
  EXPECT_EQ(from_file.hypergraph.node_count(), 3);
}

TEST_F(OpenTest, CacheFolderFollowsTheEnvironment) {
  EXPECT_EQ(cache_folder(), cache_);
  const Environment none("XDG_CACHE_HOME", std::nullopt);
  {
    const Environment home("HOME", "/home/somebody");
    EXPECT_EQ(cache_folder(), "/home/somebody/.cache/dshn");
  }
  const Environment homeless("HOME", std::nullopt);
  EXPECT_EQ(cache_folder(), std::nullopt);
}

TEST_F(OpenTest, SaysHowToGetWhatIsNotHere) {
  EXPECT_THAT(message_of<InvalidInput>([] { open("roman-empire"); }),
              ::testing::AllOf(HasSubstr("data set roman-empire is not here"), HasSubstr(data_.string()),
                               HasSubstr(cache_.string()), HasSubstr("but can be fetched")));
  EXPECT_THAT(message_of<InvalidInput>([] { open("email-enron"); }),
              HasSubstr("cannot be fetched: it is published as a Python pickle"));
  EXPECT_THAT(message_of<InvalidInput>([] { open("molecular-2"); }), HasSubstr("not publicly available"));
}

TEST_F(OpenTest, SuggestsTheNearestName) {
  EXPECT_THAT(message_of<UsageError>([] { open("citeser"); }), HasSubstr("did you mean citeseer?"));
  EXPECT_THAT(message_of<UsageError>([] { open("imagenet"); }), HasSubstr("\"imagenet\" is neither"));
  EXPECT_THAT(message_of<InvalidInput>([] { open("./imagenet"); }), HasSubstr("./imagenet: no such file"));
  EXPECT_THAT(message_of<InvalidInput>([] { open("imagenet.json"); }), HasSubstr("no such file"));
  EXPECT_THROW(open(""), UsageError);
}

TEST_F(OpenTest, NamesTheFolderWhoseContentIsWrong) {
  put(data_ / "cora", {1, 1});
  EXPECT_THAT(message_of<InvalidInput>([] { open("cora"); }),
              HasSubstr((data_ / "cora").string() + ": y has 2 rows, but the hypergraph has 3 nodes"));
}

TEST_F(OpenTest, GeneratesTheSyntheticBenchmarkUnderItsOwnName) {
  const Dataset asked = open("synthetic-generated-io10");
  const Dataset instead = open("synthetic-io10");

  EXPECT_EQ(asked.name, "synthetic-generated-io10");
  EXPECT_EQ(asked.origin, "generated, seed 0");
  EXPECT_THAT(asked.warnings, IsEmpty());
  EXPECT_EQ(instead.name, "synthetic-generated-io10");
  EXPECT_THAT(instead.warnings, ElementsAre(HasSubstr("the authors' files of synthetic-io10 are not here")));
  EXPECT_EQ(asked.hypergraph, instead.hypergraph);
  OpenOptions other;
  other.seed = 1;
  EXPECT_NE(asked.hypergraph, open("synthetic-generated-io10", other).hypergraph);
}

TEST_F(OpenTest, GeneratedSetsHaveTheSizesOfThePaper) {
  for (const char* name :
       {"synthetic-generated-io10", "synthetic-generated-io30", "synthetic-generated-io50"}) {
    SCOPED_TRACE(name);
    const StatisticsRow row = measure(open(name));
    const StatisticsRow paper = find_entry(name)->paper.value();
    EXPECT_EQ(row.nodes, paper.nodes);
    EXPECT_EQ(row.hyperedges, paper.hyperedges);
    EXPECT_EQ(row.classes, paper.classes);
    EXPECT_EQ(row.features, paper.features);
    EXPECT_NEAR(*row.avg_hyperedge_size, *paper.avg_hyperedge_size, 0.5);
    EXPECT_NEAR(*row.ce_homophily, *paper.ce_homophily, 0.05);
  }
}

TEST_F(OpenTest, TakesTheAuthorsSyntheticFilesWhereTheyAre) {
  put(data_ / "synthetic-io10", {0, 1, 1});
  const Dataset dataset = open("synthetic-io10");
  EXPECT_EQ(dataset.name, "synthetic-io10");
  EXPECT_THAT(dataset.warnings, IsEmpty());
}

TEST(Agree, ComparesThePrintedDigits) {
  const StatisticsRow printed{10, std::nullopt, 5, 2, 4.47, 2.58, 0.8035};
  StatisticsRow row{10, std::nullopt, 5, 2, 4.46901, 2.582718, 0.803461};
  EXPECT_TRUE(agree(row, printed));
  row.avg_hyperedge_size = 4.4649;
  EXPECT_FALSE(agree(row, printed));
  row.avg_hyperedge_size = 4.47;
  row.features = 1;
  EXPECT_FALSE(agree(row, printed));
}

}  // namespace
}  // namespace dshn::data
