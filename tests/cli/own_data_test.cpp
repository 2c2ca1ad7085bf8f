// One's own data, from outside: what `dshn data` makes of CSV files, HIF of other programs and edge lists.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <functional>

#include "cli/own_data_files.hpp"
#include "dshn/base/random.hpp"

namespace dshn::cli::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using Json = nlohmann::json;

TEST(OwnData, IsDescribedWithWhatWasMadeOfIt) {
  const Scratch scratch;
  const Outcome info = dshn(with({"data", "info"}, own_data(scratch), {"--json"}));

  ASSERT_EQ(info.status, 0) << info.err;
  const Json document = info.json();
  EXPECT_EQ(document["n_nodes"], kCompanies - 1) << "company 39 is in no deal";
  EXPECT_EQ(document["n_classes"], 3);
  EXPECT_EQ(document["class_names"], Json({"broker", "buyer", "seller"}));
  EXPECT_EQ(document["class_counts"], Json({10, 10, 10}));
  EXPECT_EQ(document["n_unlabelled"], 29);
  EXPECT_EQ(document["feature_names"], Json({"staff", "staff is missing", "town=Oslo", "town=Rome",
                                             "town=São Paulo", "town is missing"}));
  EXPECT_EQ(document["split_protocol"],
            "10 random splits, seed 0: 60/20/20 % of the nodes, stratified by class");
  EXPECT_THAT(info.err,
              AllOf(HasSubstr("labels.csv: column 'label' labels 30 of 59 nodes: 3 classes (broker 10, "
                              "buyer 10, seller 10)"),
                    HasSubstr("features.csv: 6 columns of features; numbers: staff; words, a column each: "
                              "town (3); with gaps, marked by a column: staff, town"),
                    HasSubstr("features.csv: 1 of 60 ids are no nodes of the hypergraph and are left out: "
                              "'company 39'")));

  const Outcome page = dshn(with({"data", "info"}, own_data(scratch)));
  EXPECT_THAT(page.out, AllOf(HasSubstr("broker 10, buyer 10, seller 10, 29 unknown"),
                              HasSubstr("training uses 10 random splits")));
}

TEST(OwnData, IsConvertedWithLabelsAndFeatures) {
  const Scratch scratch;
  const Outcome converted = dshn(with({"data", "convert"}, own_data(scratch), {scratch.at("set")}));
  ASSERT_EQ(converted.status, 0) << converted.err;

  const Json from_files = dshn(with({"data", "info"}, own_data(scratch), {"--json"})).json();
  const Json from_folder = dshn({"data", "info", scratch.at("set"), "--json"}).json();
  for (const char* const key : {"n_nodes", "class_names", "class_counts", "feature_names", "n_unlabelled"})
    EXPECT_EQ(from_folder[key], from_files[key]) << key;

  ASSERT_EQ(dshn({"data", "convert", scratch.at("set"), scratch.at("set.json")}).status, 0);
  const Json from_hif = dshn({"data", "info", scratch.at("set.json"), "--json"}).json();
  for (const char* const key : {"n_nodes", "class_names", "class_counts", "n_unlabelled"})
    EXPECT_EQ(from_hif[key], from_files[key]) << key;
}

TEST(OwnData, AFolderMayHoldTables) {
  const Scratch scratch;
  scratch.file("set/hypergraph.csv", "hyperedge,node,role\nd1,a,tail\nd1,b,head\nd2,b,tail\nd2,c,head\n");
  scratch.file("set/nodes.csv", "id,label,split,size\nc,x,test,3\nlonely,,,9\na,x,train,1\nb,y,val,2\n");
  scratch.file("set/hyperedges.csv", "id,amount,weight\nd2,20,2\nd1,10,1\n");

  const Outcome info = dshn({"data", "info", scratch.at("set"), "--json"});

  ASSERT_EQ(info.status, 0) << info.err;
  EXPECT_EQ(info.json()["n_nodes"], 4);
  EXPECT_EQ(info.json()["n_isolated_nodes"], 1);
  EXPECT_EQ(info.json()["class_names"], Json({"x", "y"}));
  EXPECT_EQ(info.json()["feature_names"], Json({"size"}));
  EXPECT_EQ(info.json()["edge_feature_names"], Json({"amount"}));
  EXPECT_EQ(info.json()["weighted"], true);
  EXPECT_EQ(info.json()["splits"], Json({{{"train", 1}, {"val", 1}, {"test", 1}}}));
  EXPECT_THAT(info.json()["split_protocol"], HasSubstr("1 split of column 'split' of "));
  EXPECT_THAT(info.err, HasSubstr("1 nodes are in no hyperedge"));
}

TEST(OwnData, ComesFromStandardInput) {
  const Scratch scratch;
  Setting setting;
  setting.input = scratch.file("deals", lines("hyperedge,node,role", deal_rows()));
  const Outcome text = dshn({"data", "info", "-", "--json"}, setting);
  ASSERT_EQ(text.status, 0) << text.err;
  EXPECT_EQ(text.json()["n_hyperedges"], 90);
  EXPECT_EQ(text.json()["name"], "stdin");

  setting.input = scratch.file("hif", R"({"incidences":[{"edge":0,"node":"a"},{"edge":0,"node":"b"}]})");
  EXPECT_EQ(dshn({"data", "info", "-", "--json"}, setting).json()["n_nodes"], 2);
  EXPECT_EQ(dshn({"data", "convert", "-", scratch.at("out.csv")}, setting).status, 0);

  setting.input = scratch.file("bad", "hyperedge,node\na\n");
  const Outcome bad = dshn({"data", "info", "-"}, setting);
  EXPECT_EQ(bad.status, 3);
  EXPECT_THAT(bad.err, HasSubstr("standard input, line 2: 1 columns"));
}

/// As HyperNetX and XGI write: labels and other things in attributes, "nil" and null where there is nothing.
constexpr const char* kAttributes = R"({"network-type":"undirected",
  "nodes":[{"node":"a","attrs":{"club":"red","age":3}},{"node":"b","attrs":{"club":"nil","age":5,"town":"Rome"}},
           {"node":"c","attrs":{"club":"blue","town":"Oslo"}},{"node":"d","attrs":{"club":null,"age":4,"town":"Oslo"}}],
  "edges":[{"edge":"e","attrs":{"kind":1.5}},{"edge":"f"}],
  "incidences":[{"edge":"e","node":"a"},{"edge":"e","node":"b"},{"edge":"f","node":"c","weight":2},
                {"edge":"f","node":"d"}]})";

TEST(OwnData, AttributesOfHifAreChosen) {
  const Scratch scratch;
  const std::string file = scratch.file("a.json", kAttributes);
  const Outcome info = dshn({"data", "info", file, "--json", "--label-attribute", "club",
                             "--feature-attributes", "age,town", "--hyperedge-feature-attributes", "all"});

  ASSERT_EQ(info.status, 0) << info.err;
  EXPECT_EQ(info.json()["class_names"], Json({"blue", "red"}));
  EXPECT_EQ(info.json()["class_counts"], Json({1, 1}));
  EXPECT_EQ(info.json()["n_unlabelled"], 2);
  EXPECT_EQ(info.json()["feature_names"],
            Json({"age", "age is missing", "town=Oslo", "town=Rome", "town is missing"}));
  EXPECT_EQ(info.json()["edge_feature_names"], Json({"kind", "(row)=missing"}));
  EXPECT_THAT(info.err, HasSubstr("the weights of 1 incidences are used: a member counts so many times"));
  EXPECT_EQ(info.json()["incidence_weights"], true);
  const Outcome alike = dshn({"data", "info", file, "--json", "--incidence-weights", "ignore"});
  EXPECT_EQ(alike.json()["incidence_weights"], false);
  EXPECT_THAT(alike.err, HasSubstr("the weights of 1 incidences are not used: members count alike"));

  const Outcome plain = dshn({"data", "info", file});
  EXPECT_THAT(plain.err, HasSubstr("attributes of 4 nodes are not used: age, club, town"));
  const Outcome none = dshn({"data", "info", file, "--label-attribute", "team"});
  EXPECT_EQ(none.status, 3);
  EXPECT_THAT(none.err, HasSubstr("no node has an attribute or a column 'team'"));
}

TEST(OwnData, AdvisesOnAHeaderThatSaysNothing) {
  const Scratch scratch;
  own_data(scratch);
  const Outcome info = dshn({"data", "info", scratch.at("deals.csv")});
  EXPECT_EQ(info.status, 3);
  EXPECT_THAT(info.err,
              AllOf(HasSubstr("line 1: this looks like a header with unknown columns (deal, company, role)"),
                    HasSubstr("--columns hyperedge=NAME,node=NAME")));
}

std::string inserted(const std::string& row, std::size_t at, char c) {
  std::string out(row, 0, at);
  out.push_back(c);
  return out.append(row, at);
}

/// Ways to spoil a row so that nobody could say what was meant.
using Spoil = std::function<void(std::string&)>;

const std::vector<Spoil> kSpoilers{
    [](std::string& row) { row += ",surplus,more"; },
    [](std::string& row) { row = row.substr(0, row.find(',')); },
    [](std::string& row) { row = row.substr(row.find(',')); },
    [](std::string& row) { row = inserted(row, row.find(',') + 1, '"'); },
    [](std::string& row) { row = inserted(row, 2, '"'); },
    [](std::string& row) { row = inserted(row, row.find(',') + 1, '\0'); },
    [](std::string& row) { row = fmt::format("\"{}\"x{}", row.substr(0, 4), row); },
};

TEST(OwnData, FortyMalformedFilesAreRefusedInOneLineEach) {
  const Scratch scratch;
  Random random(16);
  for (int i = 0; i < 40; ++i) {
    const Arguments flags = own_data(scratch);
    const auto pick = [&](std::size_t count) { return random.below(count); };
    const std::string file = flags[std::vector<std::size_t>{0, 4, 6}[pick(3)]];
    std::string text = read_file(file);
    std::vector<std::string> rows;
    for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1)
      rows.push_back(text.substr(at, text.find('\n', at) - at));
    std::string& row = rows[1 + pick(rows.size() - 1)];
    const std::size_t how = pick(kSpoilers.size());
    kSpoilers[how](row);
    scratch.file(std::filesystem::path(file).filename().string(),
                 lines(rows[0], {rows.begin() + 1, rows.end()}));

    const Outcome info = dshn(with({"data", "info"}, flags));

    EXPECT_EQ(info.status, 3) << file << ", spoiler " << how << ": " << row << "\n" << info.err;
    EXPECT_TRUE(info.one_line()) << info.err;
    EXPECT_EQ(info.out, "");
  }
}

}  // namespace
}  // namespace dshn::cli::test
