#pragma once

#include <rapidcheck.h>

#include <set>

#include "dshn/hypergraph/builder.hpp"

namespace dshn::io::test {

/// Names of which some are integers, some look like integers and some need quotes.
inline rc::Gen<Name> any_name() {
  const auto awkward = rc::gen::element<std::string>(
      "1", "-7", "01", "a b", " a", "tab\there", "comma,", "\"quoted\"", "two\nlines", "cr\r", "", "#comment",
      "node", "hyperedge", "tail", "\xc3\xa9", "nan", "1e5", "-0");
  return rc::gen::oneOf(rc::gen::map(rc::gen::arbitrary<std::int64_t>(), &Name::integer),
                        rc::gen::map(rc::gen::inRange<std::int64_t>(-3, 12), &Name::integer),
                        rc::gen::map(awkward, &Name::string));
}

/// Mixed hypergraphs with isolated nodes, empty hyperedges, weights of hyperedges and incidences, and names, each of
/// which may be absent.
inline rc::Gen<Hypergraph> any_hypergraph() {
  return rc::gen::exec([] {
    HypergraphBuilder builder;
    const bool named = *rc::gen::arbitrary<bool>();
    const int nodes = *rc::gen::inRange(0, 12);
    const int edges = *rc::gen::inRange(0, 8);
    for (int v = 0; v < nodes; ++v) builder.node(named ? *any_name() : Name::integer(v));
    for (int e = 0; e < edges; ++e) builder.edge(named ? *any_name() : Name::integer(e));
    const bool weighted = *rc::gen::arbitrary<bool>();
    const bool weighed_members = *rc::gen::arbitrary<bool>();
    const bool directed = *rc::gen::arbitrary<bool>();
    for (Index e = 0; e < builder.edge_count(); ++e) {
      if (weighted) builder.weight(e, *rc::gen::element(1.0, 0.1, 3.0, 1e-300, 12345.678));
      if (builder.node_count() == 0) continue;
      const auto members =
          *rc::gen::container<std::set<Index>>(rc::gen::inRange<Index>(0, builder.node_count()));
      for (const Index v : members) {
        builder.incidence(e, v, directed && *rc::gen::arbitrary<bool>() ? Role::head : Role::tail);
        if (weighed_members) builder.incidence_weight(*rc::gen::element(1.0, 0.1, 3.0, 1e-300, 12345.678));
      }
    }
    return builder.build();
  });
}

}  // namespace dshn::io::test
