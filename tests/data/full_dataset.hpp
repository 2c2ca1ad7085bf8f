#pragma once

#include <cmath>
#include <limits>
#include <vector>

#include "dshn/data/dataset.hpp"
#include "dshn/hypergraph/builder.hpp"

namespace dshn::data::testing {

inline constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// Six nodes with names of all kinds; hyperedges with tails, with heads, with both, with one member and with none.
inline Hypergraph named_hypergraph() {
  HypergraphBuilder builder;
  for (const char* name : {"a", "", "1", "\xc3\xa9 \"'"}) builder.node({name, false});
  builder.node({"1", true});
  builder.node({"-7", true});
  const Index both = builder.edge({"both", false});
  builder.incidence(both, 0);
  builder.incidence(both, 3, Role::head);
  builder.incidence_weight(2.5);
  builder.incidence(both, 4, Role::head);
  const Index heads = builder.edge({"12", true});
  for (const Index v : {1, 3, 5}) builder.incidence(heads, v, Role::head);
  builder.weight(heads, 0.1);
  builder.incidence(builder.edge({"loop", false}), 2);
  builder.edge({"none", false});
  return builder.build();
}

/// Every field has something in it.
inline Dataset full(Task task, TargetKind target) {
  Dataset d;
  d.name = "full";
  d.hypergraph = named_hypergraph();
  d.task = task;
  d.node_features = {6, 2, std::vector<float>{1, -0.0F, kNan, INFINITY, 1e-42F, 3, 4, 5, 6, 7, 8, 9}};
  d.edge_features = {4, 9, Features::Entries{{0, 2, 2, 3, 3}, {0, 8, 4}, {0.5F, 0.0F, -1}}};
  d.node_feature_names = {"weight, kg", ""};
  d.code.node_columns = {{"town", {"Oslo", "Rome"}, 0, true}, {"age", {}, 30.5, false}};
  d.code.edge_columns = {{"kind", {"x"}, std::nan(""), false}};
  d.code.edge_columns[0].fill = -0.25;
  d.code.target = target;
  d.code.class_names = {"no", "yes"};
  d.class_count = 2;
  const Index items = d.item_count();
  for (Index i = 0; i < items; ++i) {
    if (target == TargetKind::classes) d.labels.push_back(i % 3 - 1);
    if (target == TargetKind::numbers) d.values.insert(d.values.end(), {i * 0.1, -0.0});
    if (target == TargetKind::labels) d.values.insert(d.values.end(), {i == 0 ? NAN : 1.0, 0.0});
    d.times.push_back(items - i);
  }
  d.splits = {{{0, 2}, {1}, {3}}, {{1, 3}, {}, {0}}};
  d.splits_from = "column split of nodes.csv";
  d.generated = true;
  d.origin = "generator, seed 3";
  d.format = "none";
  d.warnings = {"a", ""};
  d.notes = {"one\ntwo"};
  return d;
}

}  // namespace dshn::data::testing
