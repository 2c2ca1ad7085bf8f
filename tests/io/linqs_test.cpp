#include <gmock/gmock.h>

#include "dshn/base/error.hpp"
#include "dshn/io/format.hpp"
#include "io/raw_files.hpp"
#include "io/test_files.hpp"

namespace dshn::io {
namespace {

using test::message_of;
using test::put_file;
using test::RealFiles;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(Linqs, ContentFileGivesOrderFeaturesAndClasses) {
  const TemporaryFolder folder;
  put_file(folder / "c.content", "31\t0\t1\tTheory\nabc\t1\t1\tAgents\n7\t1\t0\tTheory\n");
  put_file(folder / "c.cites", "31\tabc\n31\t7\nabc\tabc\n31\tunknown\n");

  const Loaded loaded = load(folder / "c.cites");

  EXPECT_EQ(format_to_read(folder / "c.cites").name, "linqs");
  ASSERT_EQ(loaded.hypergraph.edge_count(), 2);
  EXPECT_EQ(loaded.hypergraph.node_names()[0], Name::integer(31));
  EXPECT_EQ(loaded.hypergraph.node_names()[1], Name::string("abc"));
  EXPECT_THAT(loaded.hypergraph.head(0), ElementsAre(1, 2));
  EXPECT_THAT(loaded.hypergraph.members(1), ElementsAre(1));
  EXPECT_THAT(loaded.arrays.at("x").as<float>("x"), ElementsAre(0, 1, 1, 1, 1, 0));
  EXPECT_THAT(loaded.arrays.at("y").as<std::int64_t>("y"), ElementsAre(1, 0, 1));
  EXPECT_THAT(loaded.arrays.at("class_names").texts, ElementsAre("Agents", "Theory"));
  EXPECT_THAT(loaded.warnings, ElementsAre("1 citations name a paper without features and were left out"));
}

TEST(Linqs, WithoutContentEveryPaperIsANode) {
  const TemporaryFolder folder;
  put_file(folder / "c.cites", "31\t7\n31\t12\n");

  const Loaded loaded = load(folder / "c.cites");

  EXPECT_EQ(loaded.hypergraph.node_count(), 3);
  EXPECT_EQ(loaded.hypergraph.node_names()[0], Name::integer(7));
  EXPECT_EQ(loaded.warnings.size(), 1U);
}

TEST(Linqs, RefusesPapersListedTwice) {
  const TemporaryFolder folder;
  put_file(folder / "c.cites", "1\t2\n");
  put_file(folder / "c.content", "1\t0\ta\n2\t0\ta\n1\t0\ta\n");

  const auto message = message_of<InvalidInput>([&] { load(folder / "c.cites"); });

  EXPECT_THAT(message.value_or(""), HasSubstr("paper '1' is listed twice"));
}

/// The citations with a file of contents made from the ids of the prepared set.
Loaded with_ids(const std::string& set, const std::filesystem::path& citations) {
  const TemporaryFolder folder;
  std::filesystem::copy_file(citations, folder / "a.cites");
  std::ifstream ids(dshn::test::real_data() / set / "node_ids.txt");
  std::ofstream content(folder / "a.content");
  for (std::string id; std::getline(ids, id);) content << id << "\t0\tclass\n";
  content.close();
  return load(folder / "a.cites");
}

TEST_F(RealFiles, CoraNeedsOnlyItsIds) {
  const Loaded named = with_ids("cora", raw("cora.cites"));
  const Loaded bare = load(raw("cora.cites"));

  expect_set("cora", named);
  EXPECT_THAT(named.warnings, IsEmpty());
  // Every paper of cora cites or is cited, so the numbers are the same without the list; only the numbering
  // is not.
  EXPECT_EQ(bare.hypergraph.node_count(), 2708);
  EXPECT_EQ(bare.hypergraph.edge_count(), 1565);
  EXPECT_EQ(bare.hypergraph.incidence_count(), 6994);
}

TEST_F(RealFiles, CiteseerLosesThePapersWithoutFeatures) {
  const Loaded named = with_ids("citeseer", raw("citeseer.cites"));
  const Loaded bare = load(raw("citeseer.cites"));

  expect_set("citeseer", named);
  EXPECT_THAT(named.warnings, ElementsAre("17 citations name a paper without features and were left out"));
  EXPECT_EQ(bare.hypergraph.node_count(), 3312 + 15);
}

}  // namespace
}  // namespace dshn::io
