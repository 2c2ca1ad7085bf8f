#include "io/text.hpp"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "dshn/base/error.hpp"
#include "dshn/hypergraph/builder.hpp"
#include "dshn/io/format.hpp"
#include "dshn/io/hif.hpp"
#include "dshn/io/table.hpp"
#include "io/random_hypergraph.hpp"
#include "io/test_files.hpp"

namespace dshn::io {
namespace {

using test::get_file;
using test::message_of;
using test::put_file;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

Loaded read(const std::string& content, const LoadOptions& options = {},
            const std::string& name = "list.tsv") {
  const TemporaryFolder folder;
  put_file(folder / name, content);
  return read_text(folder / name, options);
}

std::string text_error(const std::string& content, const LoadOptions& options = {},
                       const std::string& name = "list.tsv") {
  return message_of<InvalidInput>([&] { read(content, options, name); }).value_or("");
}

TEST(HyperedgeList, ReadsRolesInTabsCommasAndBlanks) {
  for (const std::string separator : {"\t", ",", " ", ", ", "   "}) {
    std::string text;
    for (const std::string row : {"0|0|tail", "0|1|head", "0|2|head", "1|2|tail"}) {
      for (const char c : row) text += c == '|' ? separator : std::string(1, c);
      text += "\n";
    }

    const Hypergraph hypergraph = read(text).hypergraph;

    EXPECT_EQ(hypergraph.node_count(), 3);
    ASSERT_EQ(hypergraph.edge_count(), 2);
    EXPECT_THAT(hypergraph.tail(0), ElementsAre(0));
    EXPECT_THAT(hypergraph.head(0), ElementsAre(1, 2));
    EXPECT_THAT(hypergraph.tail(1), ElementsAre(2));
    EXPECT_FALSE(hypergraph.is_directed(1));
  }
}

TEST(HyperedgeList, HeaderMayReorderColumns) {
  const Loaded loaded = read("Weight,Node,Direction,Edge\n2.5,a,head,e\n,b,tail,e\n");

  EXPECT_EQ(loaded.hypergraph.weight(0), 2.5);
  EXPECT_EQ(loaded.hypergraph.node_names()[0], Name::string("a"));
  EXPECT_THAT(loaded.hypergraph.tail(0), ElementsAre(1));
  EXPECT_EQ(loaded.format, "hyperedge list, comma-separated text");
  EXPECT_THAT(loaded.warnings, IsEmpty());
}

TEST(HyperedgeList, QuotesFollowRfc4180) {
  const Hypergraph hypergraph =
      read("edge,node\ne,\"a,b\"\ne,\"say \"\"hi\"\"\"\r\ne,\"two\nlines\"\ne, \"\"\n").hypergraph;

  EXPECT_EQ(hypergraph.node_names()[0], Name::string("a,b"));
  EXPECT_EQ(hypergraph.node_names()[1], Name::string("say \"hi\""));
  EXPECT_EQ(hypergraph.node_names()[2], Name::string("two\nlines"));
  EXPECT_EQ(hypergraph.node_names()[3], Name::string(""));
}

TEST(HyperedgeList, QuotedIntegersAreStrings) {
  const Hypergraph hypergraph = read("hyperedge\tnode\n0\t1\n0\t\"1\"\n0\t01\n").hypergraph;

  EXPECT_EQ(hypergraph.node_count(), 3);
  EXPECT_EQ(hypergraph.node_names()[0], Name::integer(1));
  EXPECT_EQ(hypergraph.node_names()[1], Name::string("1"));
  EXPECT_EQ(hypergraph.node_names()[2], Name::string("01"));
}

TEST(HyperedgeList, SkipsCommentsEmptyLinesAndByteOrderMark) {
  const Hypergraph hypergraph =
      read("\xef\xbb\xbf# a comment, with\ttab\n\n  \nedge node\n#0 7\n0 1\n0 2").hypergraph;

  EXPECT_EQ(hypergraph.incidence_count(), 2);
}

TEST(CsvField, AByteOrderMarkAtTheFrontOfATextIsKept) {
  EXPECT_EQ(csv_field("\xef\xbb\xbfx", false, ','), "\"\xef\xbb\xbfx\"");
}

TEST(HyperedgeList, IntegerIdsAreNumberedByValueAndOthersByAppearance) {
  const Hypergraph integers = read("edge\tnode\n7\t30\n5\t10\n").hypergraph;
  const Hypergraph strings = read("edge\tnode\nq\tz\np\ta\n").hypergraph;

  EXPECT_EQ(integers.node_names()[0], Name::integer(10));
  EXPECT_EQ(integers.edge_names()[0], Name::integer(5));
  EXPECT_EQ(strings.node_names()[0], Name::string("z"));
  EXPECT_EQ(strings.edge_names()[0], Name::string("q"));
}

TEST(HyperedgeList, DirectivesDeclareWhatNoRowMentions) {
  const Hypergraph hypergraph =
      read("#% dshn hyperedge list 1\n#% nodes 3\n#% node x\n#% hyperedge \"a b\" 2\n#% hyperedge c\nc\t1\n")
          .hypergraph;

  EXPECT_EQ(hypergraph.node_count(), 4);
  EXPECT_EQ(hypergraph.node_names()[3], Name::string("x"));
  EXPECT_EQ(hypergraph.edge_names()[0], Name::string("a b"));
  EXPECT_EQ(hypergraph.weight(0), 2.0);
  EXPECT_EQ(hypergraph.size(0), 0);
  EXPECT_EQ(hypergraph.size(1), 1);
}

TEST(HyperedgeList, LineBreaksInADirectiveDoNotDecideTheSeparator) {
  const Hypergraph hypergraph = read("#% node \"two\nlines\"\nedge,node\n0,1\n").hypergraph;

  EXPECT_EQ(hypergraph.node_names()[0], Name::string("two\nlines"));
  EXPECT_EQ(hypergraph.incidence_count(), 1);
}

/// A name for a column that says nothing, by what it is for.
LoadOptions with_columns(std::map<std::string, std::string> columns) {
  LoadOptions options;
  options.text.columns = std::move(columns);
  return options;
}

TEST(HyperedgeList, ColumnsOfOtherNamesCanBeNamed) {
  const LoadOptions options = with_columns({{"hyperedge", "deal"}, {"node", "company"}});
  const Loaded loaded = read("date,deal,company,role\n1,d,a,tail\n1,d,b,head\n", options);

  EXPECT_THAT(loaded.hypergraph.head(0), ElementsAre(1));
  EXPECT_EQ(loaded.hypergraph.edge_names()[0], Name::string("d"));
  EXPECT_THAT(loaded.warnings, ElementsAre("columns of the hypergraph's file that are not used: date"));
  EXPECT_THAT(text_error("deal,firm\nd,a\n", options),
              HasSubstr("line 1: there is no column 'company' for node; the first row has deal, firm"));
}

TEST(HyperedgeList, ColumnsThatSayNothingAreNotUsed) {
  const Loaded index = read(",hyperedge,node\n0,d1,acme\n1,d1,bolt\n");
  EXPECT_EQ(index.hypergraph.size(0), 2);
  EXPECT_THAT(index.warnings, IsEmpty()) << "an index of pandas";
  EXPECT_THAT(read("hyperedge,node,price\nd1,acme,7\n").warnings,
              ElementsAre("columns of the hypergraph's file that are not used: price"));
}

TEST(HyperedgeList, AHeaderIsNotTakenForData) {
  for (const std::string text : {"node,label\na,x\nb,y\n", "deal,company\nd1,c1\nd1,c2\nd2,c1\n",
                                 "deal,company\n1,2\n1,3\n", "id,size\na,x\n"}) {
    EXPECT_THAT(text_error(text), HasSubstr("line 1: this looks like a header with unknown columns")) << text;
  }
  EXPECT_EQ(read("x,y\nx,z\nq1,z\n").hypergraph.incidence_count(), 3) << "its id comes again";
  LoadOptions options;
  options.text.header = Header::no;
  EXPECT_EQ(read("deal,company\n1,2\n1,3\n", options).hypergraph.incidence_count(), 3);
  options.text.header = Header::yes;
  EXPECT_THAT(text_error("a,b\nc,d\n", options), HasSubstr("line 1: this looks like a header"));
}

TEST(HyperedgeList, AFirstRowThatNeverComesAgainIsDoubtful) {
  std::string text = "firm,owner\n";
  for (int i = 0; i < 12; ++i) text += "acme,ann\nbolt,bob\n";
  LoadOptions options;
  options.on_conflict = OnConflict::keep_tail;
  EXPECT_THAT(
      read(text, options).warnings,
      Contains(HasSubstr("the first row ('firm', 'owner') was read as data, though neither of its ids comes "
                         "again")));
  EXPECT_THAT(read("acme,bob\n" + text.substr(text.find('\n') + 1), options).warnings, SizeIs(1));
}

TEST(HyperedgeList, AQuotedFirstRowOutlivesTheSecond) {
  const Hypergraph h =
      read("\"say \"\"hi\"\" to all of them\",\"a \"\"very\"\" long name\"\n\"x\"\"y\",b\n").hypergraph;
  EXPECT_EQ(h.edge_names()[0], Name::string("say \"hi\" to all of them"));
  EXPECT_EQ(h.node_names()[0], Name::string("a \"very\" long name"));
}

TEST(HyperedgeList, SemicolonsSeparateToo) {
  const Loaded loaded = read("hyperedge;node\ne;a\ne;\"b;c\"\n");
  EXPECT_EQ(loaded.hypergraph.size(0), 2);
  EXPECT_EQ(loaded.format, "hyperedge list, semicolon-separated text");
  EXPECT_EQ(read("e;1,x\ne;2,y\n").hypergraph.node_names()[0], Name::string("1,x"));
  EXPECT_EQ(read("e,a;b\ne,c\n").hypergraph.node_names()[0], Name::string("a;b")) << "not in every row";
  LoadOptions options;
  options.text.delimiter = ',';
  EXPECT_EQ(read("e;f,a;b\n", options).hypergraph.edge_names()[0], Name::string("e;f"));
}

TEST(ArcList, ReadsWhatNetworkxWrites) {
  const Loaded weighted = read("a b 3.5\nb c 1\nc c 2\n");
  EXPECT_EQ(weighted.format, "list of arcs, blank-separated text");
  EXPECT_THAT(weighted.warnings, ElementsAre(HasSubstr("were read as (from, to, weight)")));
  EXPECT_THAT(weighted.notes,
              ElementsAre("the weights of 2 arcs are used: a head counts so many times, a tail as "
                          "its heads do on average"));
  EXPECT_THAT(weighted.hypergraph.incidence_weights(), ElementsAre(3.5, 3.5, 1, 1, 2));
  EXPECT_THAT(weighted.hypergraph.head(0), ElementsAre(1));
  EXPECT_EQ(weighted.hypergraph.size(2), 1) << "a self-loop";

  const Loaded attributes = read("a b {'weight': 3.5, 'kind': 'x y'}\nb c {}\n", {}, "g.edgelist");
  EXPECT_EQ(attributes.hypergraph.edge_count(), 2);
  EXPECT_THAT(attributes.hypergraph.incidence_weights(), ElementsAre(3.5, 3.5, 1, 1));
  EXPECT_THAT(attributes.warnings, ElementsAre("other attributes of 1 arcs are not used"));
}

TEST(ArcList, FindsTheWeightInPythonDictionaries) {
  const auto weights = [](const std::string& dictionary) {
    const Hypergraph h = read("a b " + dictionary + "\n", {}, "g.edgelist").hypergraph;
    return h.incidence_weight(1);
  };
  EXPECT_EQ(weights("{'weight': 2}"), 2);
  EXPECT_EQ(weights("{'weight':2.5}"), 2.5);
  EXPECT_EQ(weights("{'w': [1, {'weight': 9}], 'weight': np.float64(0.25), 'x': 'a, \\'weight\\': 7'}"),
            0.25);
  EXPECT_EQ(weights("{'kind': 'weight'}"), 1);
  for (const std::string bad :
       {"{weight: 2}", "{'weight' 2}", "{'weight': 2", "{'weight: 2}", "{'weight': }"}) {
    EXPECT_THAT(text_error("a b " + bad + "\n", {}, "g.edgelist"), HasSubstr("is not a dictionary of Python"))
        << bad;
  }
  EXPECT_THAT(text_error("a b {'weight': 'much'}\n", {}, "g.edgelist"), HasSubstr("is not a weight"));
}

TEST(ArcList, RefusesWeightsThatCannotCountUnlessTheyAreIgnored) {
  LoadOptions ignore;
  ignore.incidence_weights = IncidenceWeights::ignore;
  for (const std::string weight : {"-1", "0", "red", "nan"}) {
    const std::string text = "from,to,weight\n0,1,2\n0,2," + weight + "\n";
    EXPECT_THAT(text_error(text), HasSubstr("line 3: '" + weight + "' is not a weight"));
    const Loaded loaded = read(text, ignore);
    EXPECT_FALSE(loaded.hypergraph.has_incidence_weights());
    EXPECT_THAT(loaded.warnings, ElementsAre("the weights of 2 arcs are not used"));
  }
}

TEST(HyperedgeList, MayWeighItsMembers) {
  const std::string text = "hyperedge,node,weight,incidence_weight\ne,a,2,0.5\ne,b,2,\nf,a,,1\nf,b,,3\n";
  const Loaded loaded = read(text);
  EXPECT_THAT(loaded.hypergraph.edge_weights(), ElementsAre(2, 1));
  EXPECT_THAT(loaded.hypergraph.incidence_weights(), ElementsAre(0.5, 1, 1, 3));
  EXPECT_THAT(loaded.notes,
              ElementsAre("the weights of 2 incidences are used: a member counts so many times"));
  for (const std::string name : {"multiplicity", "coefficient", "stoichiometry"})
    EXPECT_EQ(read("hyperedge,node," + name + "\ne,a,4\n").hypergraph.incidence_weight(0), 4) << name;
  EXPECT_THAT(text_error("hyperedge,node,multiplicity\ne,a,-4\n"), HasSubstr("line 2: '-4' is not a weight"));

  LoadOptions options;
  options.text.columns["incidence_weight"] = "weight";
  EXPECT_THAT(read("edge,node,weight\n0,1,2\n0,2,3\n", options).hypergraph.incidence_weights(),
              ElementsAre(2, 3));

  options = {};
  options.incidence_weights = IncidenceWeights::ignore;
  const Loaded alike = read(text, options);
  EXPECT_FALSE(alike.hypergraph.has_incidence_weights());
  EXPECT_TRUE(alike.hypergraph.weighted());
  EXPECT_THAT(alike.warnings, ElementsAre("the weights of 3 incidences are not used: members count alike"));
}

TEST(HyperedgeList, TwoColumnsWithoutHeaderGiveAWarning) {
  EXPECT_THAT(read("0\t1\n0\t2\n").warnings, ElementsAre(HasSubstr("were read as (hyperedge, node)")));
  LoadOptions options;
  options.text_kind = TextKind::hyperedges;
  EXPECT_THAT(read("0\t1\n0\t2\n", options).warnings, IsEmpty());
}

TEST(HyperedgeList, MissingRolesAreTreatedAsAsked) {
  const std::string text = "edge,node,role\n0,0,\n0,1,head\n1,0,tail\n1,1,head\n";
  EXPECT_THAT(text_error(text), HasSubstr("line 2: a member of hyperedge 0 has no role"));
  LoadOptions options;

  options.missing_direction = MissingDirection::tail;
  const Loaded as_tail = read(text, options);
  EXPECT_TRUE(as_tail.hypergraph.is_directed(0));
  EXPECT_THAT(as_tail.warnings, ElementsAre("1 rows have no role and were read as tails"));

  options.missing_direction = MissingDirection::undirected;
  const Loaded as_undirected = read(text, options);
  EXPECT_FALSE(as_undirected.hypergraph.is_directed(0));
  EXPECT_EQ(as_undirected.hypergraph.size(0), 2);
  EXPECT_TRUE(as_undirected.hypergraph.is_directed(1));
}

TEST(HyperedgeList, ErrorsNameFileAndLine) {
  EXPECT_THAT(text_error("edge,node,role\n0,1,tail\n0,2,sideways\n"),
              HasSubstr("list.tsv, line 3: 'sideways' is not a role"));
  EXPECT_THAT(text_error("edge,node\n0,1\n0\n"), HasSubstr("line 3: 1 columns; expected 2 to 2"));
  EXPECT_THAT(text_error("edge,node\n0,1\n0,\n"), HasSubstr("line 3: the node has no id"));
  EXPECT_THAT(text_error("edge,node\n0,-1\n"), HasSubstr("line 2: node id -1 is outside 0..2147483647"));
  EXPECT_THAT(text_error("edge,node\n0,2147483648\n"), HasSubstr("node id 2147483648 is outside"));
  EXPECT_THAT(text_error("edge,node\n99999999999999999999,1\n"),
              HasSubstr("hyperedge id 99999999999999999999"));
  EXPECT_THAT(text_error("edge,node,weight\n0,1,-2\n"), HasSubstr("line 2: '-2' is not a weight"));
  EXPECT_THAT(text_error("edge,node,weight\n0,1,nan\n"), HasSubstr("line 2: 'nan' is not a weight"));
  EXPECT_THAT(text_error("edge,node,weight\n0,1,2\n0,2,3\n"),
              HasSubstr("line 3: hyperedge 0 has weight 3 here and 2 before"));
  EXPECT_THAT(text_error("edge,node\n0,\"1\n0,2\n"), HasSubstr("line 2: a quoted field is not closed"));
  EXPECT_THAT(text_error("edge,node\n0,\"1\"2\n"), HasSubstr("line 2: a quoted field must be followed"));
  EXPECT_THAT(text_error("edge,node\n0,1\"2\n"), HasSubstr("line 2: a quote inside an unquoted field"));
  EXPECT_THAT(text_error("#% dshn hyperedge list 2\n"), HasSubstr("line 1: unknown format"));
  EXPECT_THAT(text_error("#% nodse 3\nedge\tnode\n"), HasSubstr("line 1: unknown directive"));
  EXPECT_THAT(text_error("#% nodes 4000000000\nedge\tnode\n"), HasSubstr("between 0 and 2^24"));
  EXPECT_THAT(text_error("alpha\tbeta\n1\t2\n"), HasSubstr("looks like a header with unknown columns"));
  EXPECT_THAT(text_error("0\t1\tx\n"), HasSubstr("the third column has 'x', which is no role"));
  EXPECT_THAT(text_error("justoneword\n"), HasSubstr("1 columns"));
  EXPECT_THAT(text_error("# nothing\n"), HasSubstr("neither a row nor"));
  EXPECT_THAT(text_error(""), HasSubstr("the file is empty"));
  EXPECT_THAT(text_error(std::string("edge,node\n0,\0\n", 13)), HasSubstr("byte 12: not a text file"));
}

TEST(HyperedgeList, ARangeIsDeclaredOnce) {
  EXPECT_THAT(text_error("#% nodes 3\n#% nodes 3\nedge\tnode\n0\t1\n"),
              HasSubstr("line 2: '#% nodes' stands here for the second time"));
  EXPECT_THAT(text_error("#% hyperedges 3\n#% nodes 3\n#% hyperedges 3\nedge\tnode\n0\t1\n"),
              HasSubstr("line 3: '#% hyperedges' stands"));
}

TEST(HyperedgeList, LinesAreCountedWithCommentsAndEmptyOnes) {
  const std::string comments = "# one\n\n  \t\n#\n# " + std::string(3 << 20, 'x') + "\n";
  EXPECT_THAT(text_error(comments + "edge,node,role\n" + comments + "0,1,tail\n\n0,2,sideways\n"),
              HasSubstr("line 14: 'sideways' is not a role"));
  EXPECT_THAT(text_error("edge,node,role\n\n# a\n0,\"a\n# no comment\n\nb\",tail\n#\n0,2,sideways\n"),
              HasSubstr("line 9: 'sideways' is not a role"));
  EXPECT_THAT(text_error(comments + "\n"), HasSubstr("neither a row nor"));
}

TEST(HyperedgeList, CommentsInsideOfQuotesAreText) {
  const Hypergraph h = read("edge,node\n0,\"a\n# b\n\n#c\"\n# d\n0,e\n").hypergraph;
  EXPECT_EQ(h.node_names()[0], Name::string("a\n# b\n\n#c"));
  EXPECT_EQ(h.size(0), 2);
}

TEST(HyperedgeList, ConflictsAreNamedWithTheFile) {
  const std::string text = "edge,node,role\ne,v,tail\ne,v,head\n";
  EXPECT_THAT(text_error(text), HasSubstr("list.tsv: hyperedge 'e': node 'v' is both tail and head"));
  LoadOptions options;
  options.on_conflict = OnConflict::keep_head;

  EXPECT_THAT(read(text, options).hypergraph.head(0), ElementsAre(0));
}

TEST(ArcList, MakesOneHyperedgePerSource) {
  const Loaded loaded = read("from,to,weight\n0,1,3\n0,2,1\n2,2,1\n0,1,1\n");

  EXPECT_EQ(loaded.hypergraph.edge_count(), 2);
  EXPECT_THAT(loaded.hypergraph.tail(0), ElementsAre(0));
  EXPECT_THAT(loaded.hypergraph.head(0), ElementsAre(1, 2));
  EXPECT_THAT(loaded.hypergraph.members(1), ElementsAre(2));
  EXPECT_THAT(loaded.warnings, IsEmpty());
  EXPECT_THAT(loaded.hypergraph.incidence_weights(), ElementsAre(2.5, 4, 1, 1)) << "repeated arcs add up";
}

TEST(ArcList, DirectionAndKindCanBeChosen) {
  LoadOptions options;
  options.text_kind = TextKind::arcs;
  options.first_column_is_tail = false;

  const Hypergraph hypergraph = read("a b\na c\n", options).hypergraph;

  EXPECT_EQ(hypergraph.edge_count(), 2);
  EXPECT_EQ(hypergraph.node_names()[hypergraph.tail(0)[0]], Name::string("b"));
  EXPECT_THAT(text_error("edge,node\n0,1\n", options), HasSubstr("another kind of list"));
}

TEST(ArcList, IsRecognisedByHeaderDirectiveAndExtension) {
  for (const std::string header :
       {"source\ttarget\n", "tail\thead\n", "node_id\tnode_id\n", "#% dshn arc list 1\n"}) {
    EXPECT_EQ(read(header + "0\t1\n0\t2\n").format, "list of arcs, tab-separated text");
  }
  const TemporaryFolder folder;
  put_file(folder / "graph.arcs", "0\t1\n0\t2\n");
  EXPECT_EQ(format_to_read(folder / "graph.arcs").name, "arc-list");
  EXPECT_EQ(load(folder / "graph.arcs").format, "list of arcs, tab-separated text");
  EXPECT_EQ(read("#% dshn arc list 1\n#% nodes 5\n0\t1\n").hypergraph.node_count(), 5);
}

TEST(HyperedgeListWriter, WritesAReadableFile) {
  const TemporaryFolder folder;
  HypergraphBuilder builder;
  builder.incidence(Name::string("e 1"), Name::integer(0), Role::tail);
  builder.incidence(Name::string("e 1"), Name::string("0"), Role::head);
  builder.weight(builder.edge(Name::string("empty")), 0.1);
  builder.node(Name::string("#alone"));

  write_hyperedge_list(builder.build(), folder / "list.csv");

  EXPECT_EQ(get_file(folder / "list.csv"),
            "#% dshn hyperedge list 1\n#% node 0\n#% node \"0\"\n#% node \"#alone\"\n#% hyperedge \"e 1\"\n"
            "#% hyperedge empty 0.1\nhyperedge,node,role,weight\n\"e 1\",0,tail,1\n\"e 1\",\"0\",head,1\n");
}

TEST(HyperedgeListWriter, RefusesZeroBytesAndLeavesNothing) {
  const TemporaryFolder folder;
  HypergraphBuilder builder;
  builder.node(Name::string(std::string("a\0b", 3)));
  const Hypergraph hypergraph = builder.build();

  EXPECT_TRUE(message_of<InvalidInput>([&] { write_hyperedge_list(hypergraph, folder / "a.tsv"); }));

  EXPECT_EQ(test::file_count(folder), 0U);
}

RC_GTEST_PROP(HyperedgeListProperty, NothingIsLost, ()) {
  const TemporaryFolder folder;
  const Hypergraph hypergraph = *test::any_hypergraph();
  const auto path = folder / *rc::gen::element<std::string>("a.tsv", "a.csv", "a.txt", "a.csv.gz");

  write_hyperedge_list(hypergraph, path);

  RC_ASSERT(read_text(path).hypergraph == hypergraph);
}

RC_GTEST_PROP(HyperedgeListProperty, HifToListToHifIsLossless, ()) {
  const TemporaryFolder folder;
  write_hif(*test::any_hypergraph(), folder / "a.hif.json");
  const Hypergraph hypergraph = read_hif(folder / "a.hif.json").hypergraph;

  write_hyperedge_list(hypergraph, folder / "b.tsv");
  write_hif(read_text(folder / "b.tsv").hypergraph, folder / "c.hif.json");

  RC_ASSERT(get_file(folder / "c.hif.json") == get_file(folder / "a.hif.json"));
}

}  // namespace
}  // namespace dshn::io
