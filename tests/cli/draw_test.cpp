#include "cli/draw.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cli/text.hpp"
#include "dshn/hypergraph/builder.hpp"

namespace dshn::cli {
namespace {

/// Hyperedge 0: {0} to {1}; hyperedge 1: undirected {1, 2}.
Hypergraph small() {
  HypergraphBuilder builder;
  for (int v = 0; v < 3; ++v) builder.node(Name::integer(v));
  for (int e = 0; e < 2; ++e) builder.edge(Name::integer(e));
  builder.incidence(Index{0}, Index{0}, Role::tail);
  builder.incidence(Index{0}, Index{1}, Role::head);
  builder.incidence(Index{1}, Index{1}, Role::tail);
  builder.incidence(Index{1}, Index{2}, Role::tail);
  return builder.build();
}

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> out{""};
  for (const char c : text) {
    if (c == '\n') {
      out.emplace_back();
    } else {
      out.back() += c;
    }
  }
  out.pop_back();
  return out;
}

TEST(Draw, ASmallHypergraphInFull) {
  const auto picture = lines(draw_incidence(small(), {}, Terminal{}));

  EXPECT_EQ(picture[1], "▕│ ▏");
  EXPECT_EQ(picture[2], "▕─·▏");
  EXPECT_EQ(picture[3], "▕ ·▏");
}

TEST(Draw, RowsAreOrderedByClassAndNamed) {
  const std::vector<Index> labels{1, 0, -1};

  const auto picture =
      lines(draw_incidence(small(), {.rows = 24, .node_labels = labels, .edge_labels = {}}, {}));

  EXPECT_EQ(picture[1].substr(0, 8), " class 0");
  EXPECT_EQ(picture[2].substr(0, 8), " class 1");
  EXPECT_EQ(picture[3].substr(0, 8), "no class");
}

TEST(Draw, ALargeHypergraphFitsTheTerminal) {
  const Index nodes = 5000;
  std::vector<Index> edge, node;
  std::vector<Role> role;
  for (Index e = 0; e < 3000; ++e) {
    for (Index k = 0; k < 4; ++k) {
      edge.push_back(e);
      node.push_back((7 * e + 1013 * k) % nodes);
      role.push_back(k < 2 ? Role::tail : Role::head);
    }
  }
  const Hypergraph large(nodes, 3000, {edge, node, role});

  const auto picture = lines(draw_incidence(large, {.rows = 20, .node_labels = {}, .edge_labels = {}}, {}));

  ASSERT_EQ(picture.size(), 20U + 2 + 2);
  for (const std::string& line : picture) EXPECT_LE(display_width(line), 80) << line;
}

TEST(Draw, NothingIsDrawnOfNothing) {
  EXPECT_EQ(draw_incidence(Hypergraph(), {}, {}), "nothing to draw: no incidences\n");
}

}  // namespace
}  // namespace dshn::cli
