#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "house/include_rules.hpp"
#include "house/temporary_tree.hpp"
#include "house/this_house.hpp"

namespace dshn::house {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

RoomRules rules_of_this_house() {
  return read_room_rules(kRoot / "docs" / "architecture.md");
}

TEST(DependencyRule, HoldsInThisRepository) {
  EXPECT_THAT(broken_include_rules(kRoot, rules_of_this_house()), IsEmpty());
}

TEST(DependencyRule, IsReadFromTheArchitecturePage) {
  const RoomRules rules = rules_of_this_house();

  EXPECT_THAT(rules.at("base").may_include, IsEmpty());
  EXPECT_THAT(rules.at("data").may_include, ElementsAre("base", "hypergraph", "io"));
  EXPECT_FALSE(rules.at("io").torch);
  EXPECT_TRUE(rules.at("ops").torch);
  EXPECT_TRUE(rules.at("cli").everything);
  EXPECT_EQ(rules.size(), 15U);
}

TEST(DependencyRule, ReportsAForbiddenRoom) {
  const TemporaryTree tree;
  tree.write("include/dshn/hypergraph/a.hpp", "#pragma once\n\n#include \"dshn/io/load.hpp\"\n");
  tree.write("src/data/b.cpp", "#include \"dshn/io/load.hpp\"\n#  include <dshn/ops/apply.hpp>\n");

  EXPECT_THAT(
      broken_include_rules(tree.root(), rules_of_this_house()),
      ElementsAre(
          "include/dshn/hypergraph/a.hpp:3: room hypergraph may not include room io (dshn/io/load.hpp)",
          "src/data/b.cpp:2: room data may not include room ops (dshn/ops/apply.hpp)"));
}

TEST(DependencyRule, ReportsTorchOutsideItsRooms) {
  const TemporaryTree tree;
  tree.write("src/ops/kernel.cpp", "#include <ATen/ATen.h>\n#include <torch/torch.h>\n");
  tree.write("src/io/a.cpp", "#include <torch/torch.h>\n");
  tree.write("include/dshn/data/b.hpp", "#include <c10/util/Optional.h>\n");

  EXPECT_THAT(broken_include_rules(tree.root(), rules_of_this_house()),
              ElementsAre("include/dshn/data/b.hpp:1: room data may not include torch (c10/util/Optional.h)",
                          "src/io/a.cpp:1: room io may not include torch (torch/torch.h)"));
}

TEST(DependencyRule, ReportsPrivateHeadersThatLeaveTheirRoom) {
  const TemporaryTree tree;
  tree.write("src/hypergraph/secret.hpp", "#pragma once\n");
  tree.write("src/hypergraph/own.cpp", "#include \"secret.hpp\"\n#include \"hypergraph/secret.hpp\"\n");
  tree.write("src/io/thief.cpp",
             "#include \"hypergraph/secret.hpp\"\n#include \"../hypergraph/secret.hpp\"\n");
  tree.write("include/dshn/hypergraph/leak.hpp", "#include \"hypergraph/secret.hpp\"\n");

  EXPECT_THAT(broken_include_rules(tree.root(), rules_of_this_house()),
              ElementsAre("include/dshn/hypergraph/leak.hpp:1: a public header includes the private header "
                          "hypergraph/secret.hpp",
                          "src/io/thief.cpp:1: room io includes a private header of another room, "
                          "hypergraph/secret.hpp",
                          "src/io/thief.cpp:2: room io includes a private header of another room, "
                          "../hypergraph/secret.hpp"));
}

TEST(DependencyRule, ReportsAFolderThatIsNoRoom) {
  const TemporaryTree tree;
  tree.write("src/utils/misc.cpp", "int x;\n");

  EXPECT_THAT(broken_include_rules(tree.root(), rules_of_this_house()),
              ElementsAre("src/utils/misc.cpp: not in a room of docs/architecture.md"));
}

TEST(DependencyRule, RefusesAPageWithoutATable) {
  const TemporaryTree tree;
  tree.write("none.md", "| `io` | files | `hypergraph` | no |\n");
  tree.write("odd.md", "<!-- rooms: -->\n| `io` | files | `hypergraph` | perhaps |\n");

  EXPECT_THROW(read_room_rules(tree.root() / "none.md"), std::runtime_error);
  EXPECT_THROW(read_room_rules(tree.root() / "odd.md"), std::runtime_error);
}

TEST(FileLength, IsAtMost600LinesInThisRepository) {
  EXPECT_THAT(files_longer_than(kRoot, {"include", "src", "tests", "bench"}, 600), IsEmpty());
}

TEST(FileLength, ReportsALongFile) {
  const TemporaryTree tree;
  tree.write("src/io/short.cpp", "1\n2\n3\n");
  tree.write("src/io/long.cpp", "1\n2\n3\n4\n");

  EXPECT_THAT(files_longer_than(tree.root(), {"src"}, 3), ElementsAre("src/io/long.cpp: 4 lines"));
}

}  // namespace
}  // namespace dshn::house
