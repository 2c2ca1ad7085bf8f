#include <gmock/gmock.h>

#include "dshn/base/error.hpp"
#include "dshn/io/format.hpp"
#include "io/test_files.hpp"

namespace dshn::io {
namespace {

using test::message_of;
using test::put_file;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Loaded read_reactions(const std::string& content, const LoadOptions& options = {}) {
  const TemporaryFolder folder;
  put_file(folder / "list.txt", content);
  if (options.text_kind == TextKind::automatic) {
    EXPECT_EQ(format_to_read(folder / "list.txt").name, "reaction-list");
  }
  return load(folder / "list.txt", options);
}

std::string reactions_refusal(const std::string& content, const LoadOptions& options = {}) {
  return message_of<InvalidInput>([&] { read_reactions(content, options); }).value_or("it is read");
}

TEST(ReactionList, TailsStandBeforeTheArrow) {
  const Loaded loaded = read_reactions("# fuel\nh2 o2 -> water\n\nwater -> h2, o2\n");

  const Hypergraph& h = loaded.hypergraph;
  EXPECT_EQ(h.node_count(), 3);
  ASSERT_EQ(h.edge_count(), 2);
  EXPECT_THAT(h.tail(0), ElementsAre(0, 1));
  EXPECT_THAT(h.head(0), ElementsAre(2));
  EXPECT_THAT(h.tail(1), ElementsAre(2));
  EXPECT_THAT(h.head(1), ElementsAre(0, 1));
  EXPECT_EQ(h.node_names()[2], Name::string("water"));
  EXPECT_TRUE(h.edge_names().implicit());
  EXPECT_EQ(loaded.format, "reaction list, text");
  EXPECT_THAT(loaded.warnings, IsEmpty());
}

TEST(ReactionList, MembersMayBeJoinedByPlusAndRowsNamed) {
  const Hypergraph h = read_reactions("r1: a + \"b c\" => d\nr2: d → a+\n").hypergraph;

  EXPECT_EQ(h.edge_names()[1], Name::string("r2"));
  EXPECT_EQ(h.node_names()[1], Name::string("b c"));
  EXPECT_EQ(h.node_names()[3], Name::string("a+")) << "an ion";
}

TEST(ReactionList, ASideMayBeEmpty) {
  const Hypergraph h = read_reactions("a -> b\n-> b\na ->\n").hypergraph;

  EXPECT_EQ(h.size(1), 1);
  EXPECT_FALSE(h.is_directed(2));
}

TEST(ReactionList, AHeaderIsNotTakenForAReaction) {
  const auto edges = [](const std::string& content, const LoadOptions& options = {}) {
    const TemporaryFolder folder;
    put_file(folder / "list.csv", content);
    return load(folder / "list.csv", options).hypergraph.edge_count();
  };
  LoadOptions named;
  named.text_kind = TextKind::reactions;
  named.text.header = Header::yes;

  EXPECT_EQ(edges("reaction\r\na + b -> c\r\nb -> c\r\n"), 2);
  EXPECT_EQ(edges("# notes\nreaction\n\n# more\na -> b\n"), 1);
  EXPECT_EQ(edges("What comes of what\na -> b\n", named), 1);
  named.text.header = Header::no;
  EXPECT_THAT(reactions_refusal("reaction\na -> b\n", named), HasSubstr("line 1: no arrow"));
  named.text.header = Header::yes;
  EXPECT_THAT(reactions_refusal("reaction,type\na -> b,X\n", named),
              HasSubstr("line 1: a list of reactions has one column"));
}

TEST(ReactionList, AnotherSeparatorDoesNotMatter) {
  LoadOptions options;
  options.text_kind = TextKind::reactions;
  EXPECT_THAT(read_reactions("a,b -> c\n", options).hypergraph.tail(0), ElementsAre(0, 1));
}

TEST(ReactionList, SaysWhatIsWrong) {
  EXPECT_THAT(reactions_refusal("a -> b\na b\n"), HasSubstr("line 2: no arrow; expected tails -> heads"));
  EXPECT_THAT(reactions_refusal("a -> b -> c\n"), HasSubstr("line 1: a second arrow"));
  EXPECT_THAT(reactions_refusal("a <-> b\n"), HasSubstr("line 1: '<->' goes both ways"));
  EXPECT_THAT(reactions_refusal("2 a b + c -> d\n"),
              HasSubstr("line 1: expected one id between two plus signs"));
  EXPECT_THAT(reactions_refusal("a + + b -> d\n"),
              HasSubstr("line 1: expected one id between two plus signs"));
  EXPECT_THAT(reactions_refusal("a + b -> 0 c\n"), HasSubstr("line 1: "));
  EXPECT_THAT(
      reactions_refusal("2 a -> b\na + b -> c\n"),
      HasSubstr("line 2: members are joined by plus signs here, and line 1 has a number in front of an id"));
  EXPECT_THAT(reactions_refusal("a + -> c\n"), HasSubstr("line 1: a plus sign without an id behind it"));
  EXPECT_THAT(reactions_refusal("->\n"), HasSubstr("line 1: a reaction without members"));
  EXPECT_THAT(reactions_refusal("r: a -> b\nb -> c\n"), HasSubstr("line 2: expected a name and a colon"));
  EXPECT_THAT(reactions_refusal("r: a -> b\nr: b -> c\n"),
              HasSubstr("line 2: hyperedge 'r' is there already"));
  EXPECT_THAT(reactions_refusal("a b -> a\n"), HasSubstr("'a'"));
}

TEST(ReactionList, ANumberBetweenPlusSignsIsACoefficient) {
  const Loaded loaded = read_reactions("2 h2 + o2 -> 2 h2o\n0.5 o2 + co -> co2\nco2 -> co2+\n-> h2\n");

  const Hypergraph& h = loaded.hypergraph;
  EXPECT_EQ(h.node_count(), 6);
  EXPECT_THAT(h.incidence_weights(), ElementsAre(2, 1, 2, 0.5, 1, 1, 1, 1, 1));
  EXPECT_THAT(loaded.notes,
              ElementsAre("the weights of 3 incidences are used: a member counts so many times"));
}

TEST(ReactionList, CoefficientsCanBeLeftOut) {
  LoadOptions options;
  options.incidence_weights = IncidenceWeights::ignore;
  const Loaded loaded = read_reactions("2 h2 + o2 -> 2 h2o\n", options);

  EXPECT_EQ(loaded.hypergraph.node_count(), 3);
  EXPECT_FALSE(loaded.hypergraph.has_incidence_weights());
  EXPECT_THAT(loaded.warnings, ElementsAre("the weights of 2 incidences are not used: members count alike"));
}

TEST(ReactionList, NumbersWithoutPlusSignsAreIds) {
  const Hypergraph h = read_reactions("1 2 -> 3\n3 -> 1\n").hypergraph;

  EXPECT_EQ(h.node_count(), 3);
  EXPECT_EQ(h.size(0), 3);
  EXPECT_FALSE(h.has_incidence_weights());
}

TEST(ReactionList, ACatalystKeepsOneRoleWhereThatIsAskedFor) {
  LoadOptions options;
  options.on_conflict = OnConflict::keep_head;
  EXPECT_THAT(read_reactions("a b -> a c\n", options).hypergraph.head(0), ElementsAre(0, 2));
}

}  // namespace
}  // namespace dshn::io
