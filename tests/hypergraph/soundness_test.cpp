#include "dshn/hypergraph/soundness.hpp"

#include <gmock/gmock.h>

#include "dshn/base/error.hpp"
#include "dshn/hypergraph/builder.hpp"
#include "dshn/hypergraph/statistics.hpp"
#include "hypergraph/any_hypergraph.hpp"
#include "support/message_of.hpp"

namespace dshn {
namespace {

using ::testing::HasSubstr;

RC_GTEST_PROP(Soundness, HoldsOfWhatWasBuilt, ()) {
  const Hypergraph built = test::any_hypergraph();
  const Hypergraph viewed(built.views(), built.owner(), built.node_names(), built.edge_names());
  RC_ASSERT(viewed == built);
  RC_ASSERT(find_fault(viewed, Soundness::memory).empty());
  RC_ASSERT(find_fault(viewed, Soundness::whole).empty());
}

/// The arrays of a hypergraph, to be changed.
struct Owned {
  explicit Owned(const Hypergraph& h)
      : edge_ptr(copy(h.edge_ptr())),
        head_begin(copy(h.head_begin())),
        node_ptr(copy(h.node_ptr())),
        node_head_begin(copy(h.node_head_begin())),
        node_incidences(copy(h.node_incidences())),
        members(copy(h.member_nodes())),
        node_edges(copy(h.node_edges())),
        weights(copy(h.edge_weights())) {}

  template <typename T>
  static std::vector<T> copy(std::span<const T> values) {
    return {values.begin(), values.end()};
  }
  Hypergraph view() const {
    return {
        {edge_ptr, head_begin, members, node_ptr, node_head_begin, node_edges, node_incidences, weights, {}},
        nullptr,
        {},
        {}};
  }
  std::string fault(Soundness soundness) const { return find_fault(view(), soundness); }

  std::vector<Offset> edge_ptr, head_begin, node_ptr, node_head_begin, node_incidences;
  std::vector<Index> members, node_edges;
  std::vector<double> weights;
};

/// 0 -> 1, 2 and {1, 2}, of weight 2.
Owned small() {
  HypergraphBuilder builder;
  for (Index v = 0; v < 3; ++v) builder.node(Name::integer(v));
  const Index directed = builder.edge(Name::integer(0));
  builder.incidence(directed, 0);
  builder.incidence(directed, 1, Role::head);
  builder.incidence(directed, 2, Role::head);
  const Index pair = builder.edge(Name::integer(1));
  builder.incidence(pair, 1);
  builder.incidence(pair, 2);
  builder.weight(pair, 2);
  return Owned(builder.build());
}

TEST(Soundness, OfMemorySaysWhatLeadsOutOfAnArray) {
  const auto fault = [](auto member, std::size_t at, auto value) {
    Owned owned = small();
    (owned.*member)[at] = value;
    return owned.fault(Soundness::memory);
  };
  EXPECT_EQ(small().fault(Soundness::whole), "");
  EXPECT_EQ(fault(&Owned::edge_ptr, 2, 6), "the beginnings of hyperedges run from 0 to 6; expected 0 to 5");
  EXPECT_EQ(fault(&Owned::edge_ptr, 1, 7),
            "hyperedge 1 begins at 7, its heads at 5, and it ends at 5; expected numbers that rise");
  EXPECT_THAT(fault(&Owned::head_begin, 1, 2), HasSubstr("hyperedge 1 begins at 3, its heads at 2"));
  EXPECT_THAT(fault(&Owned::node_ptr, 0, -1), HasSubstr("of nodes run from -1 to 5"));
  EXPECT_THAT(fault(&Owned::node_head_begin, 2, 9), HasSubstr("node 2 begins at 3, its heads at 9"));
  EXPECT_EQ(fault(&Owned::members, 3, 3), "members at 3: 3 is out of range; expected 0..2");
  EXPECT_EQ(fault(&Owned::node_edges, 0, -1), "hyperedges of nodes at 0: -1 is out of range; expected 0..1");
  EXPECT_EQ(fault(&Owned::node_incidences, 4, 5),
            "incidences of nodes at 4: 5 is out of range; expected 0..4");
}

TEST(Soundness, OfTheWholeSaysWhichViewsContradictEachOther) {
  const auto fault = [](auto member, std::size_t at, auto value) {
    Owned owned = small();
    (owned.*member)[at] = value;
    EXPECT_EQ(owned.fault(Soundness::memory), "");
    return owned.fault(Soundness::whole);
  };
  EXPECT_EQ(fault(&Owned::members, 3, 2),
            "the members of hyperedge 1 are not in order, or one is there twice");
  EXPECT_EQ(fault(&Owned::members, 0, 1),
            "the members of hyperedge 0 are not in order, or one is there twice");
  EXPECT_EQ(fault(&Owned::members, 3, 0), "node 1 is in other hyperedges than these say");
  EXPECT_EQ(fault(&Owned::head_begin, 0, 2), "node 1 is in other hyperedges than these say");
  EXPECT_EQ(fault(&Owned::node_edges, 0, 1), "node 0 is in other hyperedges than these say");
  EXPECT_EQ(fault(&Owned::node_incidences, 0, 1), "node 0 is in other hyperedges than these say");
  EXPECT_EQ(fault(&Owned::weights, 1, 0.0),
            "the weight at 1 of hyperedges is 0; expected a finite number above 0");
}

/// Whatever the numbers: refused, or everything can be computed, which the sanitizers watch.
RC_GTEST_PROP(Soundness, OfMemoryIsEnoughToComputeAnything, ()) {
  Owned owned(test::any_hypergraph());
  const auto change = [](auto& values) {
    if (values.empty()) return;
    using T = std::decay_t<decltype(values[0])>;
    const auto at = *rc::gen::inRange<std::size_t>(0, values.size());
    values[at] = *rc::gen::element<T>(0, 1, 2, 3, -1, static_cast<T>(values.size()), 1 << 30);
  };
  switch (*rc::gen::inRange(0, 7)) {
    case 0:
      change(owned.edge_ptr);
      break;
    case 1:
      change(owned.head_begin);
      break;
    case 2:
      change(owned.node_ptr);
      break;
    case 3:
      change(owned.node_head_begin);
      break;
    case 4:
      change(owned.members);
      break;
    case 5:
      change(owned.node_edges);
      break;
    default:
      change(owned.node_incidences);
  }
  if (!owned.fault(Soundness::memory).empty()) return;
  const Hypergraph h = owned.view();
  static_cast<void>(statistics(h));
  static_cast<void>(find_fault(h, Soundness::whole));
}

TEST(Soundness, LooksAtNames) {
  const auto fault = [](std::string_view text, std::vector<std::int64_t> ptr,
                        std::vector<std::uint8_t> integer) {
    const std::vector<Offset> node_ptr(integer.size() + 1, 0);
    const std::vector<Offset> heads(integer.size(), 0);
    const std::vector<Offset> none{0};
    const Names names(NameViews{text, ptr, integer}, nullptr);
    const Hypergraph h({none, {}, {}, node_ptr, heads, {}, {}, {}, {}}, nullptr, names, {});
    return find_fault(h, Soundness::memory);
  };
  EXPECT_EQ(fault("ab7", {0, 2, 3}, {0, 1}), "");
  EXPECT_THAT(fault("ab7", {0, 2, 4}, {0, 1}), HasSubstr("names of nodes do not rise from 0 to 3"));
  EXPECT_THAT(fault("ab7", {0, 5, 3}, {0, 1}), HasSubstr("do not rise"));
  EXPECT_THAT(fault("ab7", {0, 2, 3}, {1, 1}), HasSubstr("the name at 0 of nodes is neither"));
  EXPECT_THAT(fault("07", {0, 2}, {1}), HasSubstr("neither an integer"));
  EXPECT_THAT(fault("\xff", {0, 1}, {0}), HasSubstr("nor a text in UTF-8"));
  EXPECT_THAT(fault("a", {0, 1}, {2}), HasSubstr("neither"));
  EXPECT_THAT(test::message_of<InvalidInput>([&] { fault("a", {0}, {0}); }),
              HasSubstr("1 beginnings of 1 names"));
}

}  // namespace
}  // namespace dshn
