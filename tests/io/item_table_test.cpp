#include "dshn/io/item_table.hpp"

#include <gmock/gmock.h>

#include "dshn/base/error.hpp"
#include "io/test_files.hpp"

namespace dshn::io {
namespace {

using test::message_of;
using test::put_file;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const Names kNames({Name::string("a"), Name::string("b"), Name::integer(7), Name::string("d")});

ItemTable read_table(const std::string& content, const TextStyle& style = {}) {
  const TemporaryFolder folder;
  put_file(folder / "t.csv", content);
  const NameIndex names(kNames, 4);
  ItemTable table = read_item_table(folder / "t.csv", {"node", &names}, style);
  table.file = "t.csv";
  return table;
}

std::string table_refusal(const std::string& content, const TextStyle& style = {}) {
  return message_of<InvalidInput>([&] { read_table(content, style); }).value_or("it is read");
}

std::vector<std::string> names_of(const ItemTable& table) {
  std::vector<std::string> names;
  for (const TextColumn& column : table.columns) names.push_back(column.name());
  return names;
}

std::vector<std::string> values(const TextColumn* column) {
  std::vector<std::string> cells;
  for (std::int64_t row = 0; column != nullptr && row < column->size(); ++row)
    cells.emplace_back((*column)[row]);
  return cells;
}

TEST(ItemTable, FindsTheItemsOfItsRows) {
  const ItemTable table = read_table("node,x\nd,1\n7,2\nstranger,3\na,4\n");

  EXPECT_THAT(table.items, ElementsAre(3, 2, 4, 0));
  EXPECT_THAT(table.strangers, ElementsAre(Name::string("stranger")));
  EXPECT_THAT(values(table.find("x")), ElementsAre("1", "2", "3", "4"));
  EXPECT_EQ(table.where(2), "t.csv, line 4");
}

TEST(ItemTable, IdsMatchWhicheverWayTheyAreQuoted) {
  EXPECT_THAT(read_table("node,x\n\"7\",1\n\"a\",2\n").items, ElementsAre(2, 0));
}

TEST(ItemTable, TellsAHeaderFromData) {
  EXPECT_THAT(names_of(read_table("company,size\na,1\nb,2\n")), ElementsAre("size")) << "words above numbers";
  EXPECT_THAT(names_of(read_table("company,town\na,Oslo\n")), ElementsAre("town")) << "no such node";
  EXPECT_THAT(names_of(read_table("a,Oslo\nb,Rome\n")), ElementsAre("2")) << "a is a node";
  EXPECT_THAT(names_of(read_table("x,1\ny,2\n")), ElementsAre("2")) << "a number in the first row";
  EXPECT_THAT(names_of(read_table("town,id\nOslo,a\n")), ElementsAre("town")) << "a word for ids";
  TextStyle style;
  style.header = Header::no;
  EXPECT_THAT(names_of(read_table("company,town\na,Oslo\n", style)), ElementsAre("2"));
  style.header = Header::yes;
  EXPECT_THAT(names_of(read_table("a,Oslo\nb,Rome\n", style)), ElementsAre("Oslo"));
}

TEST(ItemTable, FindsTheColumnOfIds) {
  EXPECT_EQ(read_table("town,Node_ID\nOslo,a\n").id_column, "Node_ID");
  const ItemTable first = read_table("company,town\na,Oslo\n");
  EXPECT_EQ(first.id_column, "company");
  EXPECT_THAT(first.notes, ElementsAre(HasSubstr("column 'company' was taken for the ids of the nodes")));
  TextStyle style;
  style.columns["id"] = "key";
  EXPECT_EQ(read_table("town,key\nOslo,a\n", style).id_column, "key");
}

TEST(ItemTable, KnowsTheIndexOfPandas) {
  const ItemTable beside = read_table(",node,x\n0,a,1\n1,b,2\n");
  EXPECT_THAT(beside.items, ElementsAre(0, 1));
  EXPECT_THAT(names_of(beside), ElementsAre("x"));
  const ItemTable ids = read_table(",x,town\nb,1,Oslo\na,2,Rome\n");
  EXPECT_THAT(ids.items, ElementsAre(1, 0));
  EXPECT_THAT(names_of(ids), ElementsAre("x", "town"));
  EXPECT_THAT(names_of(read_table("Unnamed: 0,node,x\n0,a,1\n")), ElementsAre("x"));
}

TEST(ItemTable, MarksOfMissingValuesAreGaps) {
  const ItemTable table = read_table("node,x,town\na,NA,#N/A\nb,NaN,\"NA\"\n7,None,<NA>\nd,null,nil\n");

  EXPECT_THAT(values(table.find("x")), ElementsAre("", "", "", ""));
  EXPECT_THAT(values(table.find("town")), ElementsAre("", "NA", "", ""));
  EXPECT_THAT(table.notes, ElementsAre(HasSubstr("7 cells with NA were read as missing")));
}

TEST(ItemTable, TakesSemicolonsQuotesAndCompression) {
  EXPECT_THAT(
      values(read_table("node;x;town\na;1,5;\"Oslo; Norway\"\nb;2;\"say \"\"hi\"\"\"\n").find("town")),
      ElementsAre("Oslo; Norway", "say \"hi\""));
  EXPECT_THAT(values(read_table("node\tx\na\t1\n").find("x")), ElementsAre("1"));
  EXPECT_THAT(values(read_table("node x\na 1\n").find("x")), ElementsAre("1"));
  TextStyle style;
  style.delimiter = '|';
  EXPECT_THAT(values(read_table("node|x\na|1\n", style).find("x")), ElementsAre("1"));
}

TEST(ItemTable, RefusesWhatCannotBeJoined) {
  EXPECT_THAT(table_refusal("node,x\na,1\nb,2\na,3\n"),
              HasSubstr("t.csv, line 4: node 'a' is in line 2 already"));
  EXPECT_THAT(table_refusal("node,x\nq,1\nq,3\n"), HasSubstr("line 3: node 'q' is in line 2 already"));
  EXPECT_THAT(table_refusal("node,x\n,1\n"), HasSubstr("line 2: the node has no id"));
  EXPECT_THAT(table_refusal("node,x\na,1,2\n"), HasSubstr("line 2: 3 columns; the first row has 2"));
  EXPECT_THAT(table_refusal("node,x\na\n"), HasSubstr("line 2: 1 columns; the first row has 2"));
  EXPECT_THAT(table_refusal("node,x,x\na,1,2\n"), HasSubstr("two columns are called 'x'"));
  EXPECT_THAT(table_refusal("node,x\n"), HasSubstr("there is no row below the header"));
  EXPECT_THAT(table_refusal("# nothing\n"), HasSubstr("there is no row in it"));
  EXPECT_THAT(table_refusal("node,x\na,\"1\n"), HasSubstr("line 2: a quoted field is not closed"));
  EXPECT_THAT(table_refusal("node,x\na,M\xfcnchen\n"), HasSubstr("line 2: the text is not UTF-8"));
}

TEST(ParseCell, TakesNumbersAlone) {
  double value = 0;
  for (const std::string_view text : {"1", "-2.5", "+3e4", "0", "0.5", ".5", "-0"})
    EXPECT_TRUE(parse_cell(text, value)) << text;
  EXPECT_TRUE(parse_cell("-2.5e1", value));
  EXPECT_EQ(value, -25);
  for (const std::string_view text : {"", "-", "inf", "nan", "007", "1,5", "1 ", "0x1", "1e999", "12%"})
    EXPECT_FALSE(parse_cell(text, value)) << text;
}

}  // namespace
}  // namespace dshn::io
