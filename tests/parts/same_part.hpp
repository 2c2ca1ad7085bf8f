#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "dshn/parts/part.hpp"

namespace dshn::parts::testing {

/// What in two parts is not the same, to the bit; empty: nothing.
class Differences {
 public:
  Differences(const Part& a, const Part& b) {
    plans(a.plan, b.plan);
    data(a.dataset, b.dataset);
  }
  const std::string& text() const { return text_; }

 private:
  void equal(const char* what, bool same) {
    if (!same) text_ += std::string(what) + " ";
  }
  /// NaN is NaN here, and 0 is not -0.
  template <typename T>
  void bits(const char* what, std::span<const T> a, std::span<const T> b) {
    equal(what, a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0));
  }

  void plans(const Plan& a, const Plan& b) {
    equal("part", a.part == b.part && a.parts == b.parts);
    equal("whole", a.all_nodes == b.all_nodes && a.all_edges == b.all_edges &&
                       a.all_incidences == b.all_incidences && a.directed == b.directed);
    equal("nodes", a.nodes == b.nodes);
    equal("edges", a.edges == b.edges);
    equal("incidences", a.incidences == b.incidences);
    equal("sizes", a.sizes == b.sizes);
    equal("edge_directed", a.edge_directed == b.edge_directed);
    equal("loops", a.loops == b.loops);
    equal("shared", a.shared == b.shared);
    equal("to_owner", a.to_owner == b.to_owner);
    equal("of_others", a.of_others == b.of_others);
    equal("owned", a.owned == b.owned);
  }

  void features(const char* what, const dshn::data::Features& a, const dshn::data::Features& b) {
    equal(what, a.rows() == b.rows() && a.cols() == b.cols() && a.sparse() == b.sparse());
    bits(what, a.values(), b.values());
    bits(what, a.row_ptr(), b.row_ptr());
    bits(what, a.columns(), b.columns());
  }

  void data(const dshn::data::Dataset& a, const dshn::data::Dataset& b) {
    equal("hypergraph", a.hypergraph == b.hypergraph);
    bits("heads", a.hypergraph.head_begin(), b.hypergraph.head_begin());
    bits("edge weights", a.hypergraph.edge_weights(), b.hypergraph.edge_weights());
    bits("incidence weights", a.hypergraph.incidence_weights(), b.hypergraph.incidence_weights());
    features("node features", a.node_features, b.node_features);
    features("edge features", a.edge_features, b.edge_features);
    equal("column names",
          a.node_feature_names == b.node_feature_names && a.edge_feature_names == b.edge_feature_names);
    equal("code", a.code == b.code);
    equal("labels", a.labels == b.labels);
    bits<double>("values", a.values, b.values);
    equal("class count", a.class_count == b.class_count);
    equal("splits", a.splits == b.splits && a.splits_from == b.splits_from);
    equal("times", a.times == b.times);
    equal("task", a.task == b.task && a.generated == b.generated);
    equal("words", a.name == b.name && a.origin == b.origin && a.format == b.format &&
                       a.warnings == b.warnings && a.notes == b.notes);
  }

  std::string text_;
};

inline std::string differences(const Part& a, const Part& b) {
  return Differences(a, b).text();
}

}  // namespace dshn::parts::testing
