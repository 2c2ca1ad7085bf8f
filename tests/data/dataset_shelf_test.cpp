#include "dshn/data/dataset_shelf.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "support/temporary_folder.hpp"

namespace dshn::data {
namespace {

TEST(DatasetShelf, ReadsAFileOnce) {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "list.txt").string();
  std::ofstream(path) << "a 1\na 2\nb 2\n";
  DatasetShelf shelf;

  const auto first = shelf.open(path);
  std::filesystem::remove(path);

  OpenOptions other;
  other.seed = 7;
  EXPECT_EQ(shelf.open(path), first);
  EXPECT_EQ(shelf.open(path, other), first) << "what is read from a file does not depend on a seed";
}

TEST(DatasetShelf, ReadsAFileAgainWhereItIsToBeReadOtherwise) {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "list.txt").string();
  std::ofstream(path) << "a 1\na 2\nb 2\n";
  DatasetShelf shelf;
  OpenOptions arcs;
  arcs.load.text_kind = io::TextKind::arcs;

  EXPECT_EQ(shelf.open(path)->hypergraph.node_count(), 2);
  EXPECT_EQ(shelf.open(path, arcs)->hypergraph.node_count(), 4);
  EXPECT_EQ(shelf.open(path), shelf.open(path));
}

TEST(DatasetShelf, DrawsAGeneratedSetForEachSeed) {
  DatasetShelf shelf;
  OpenOptions other;
  other.seed = 1;

  const auto first = shelf.open("synthetic-generated-io10");
  const auto second = shelf.open("synthetic-generated-io10", other);

  EXPECT_NE(first->hypergraph, second->hypergraph);
  EXPECT_EQ(shelf.open("synthetic-generated-io10"), first);
  EXPECT_EQ(shelf.open("synthetic-generated-io10", other), second);
}

}  // namespace
}  // namespace dshn::data
