#pragma once

#include <cstring>
#include <span>
#include <string>

#include "dshn/data/dataset.hpp"

namespace dshn::data::testing {

/// What in two data sets is not the same, to the bit; empty: nothing.
class Differences {
 public:
  Differences(const Dataset& a, const Dataset& b) { data(a, b); }
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

  void features(const char* what, const Features& a, const Features& b) {
    equal(what, a.rows() == b.rows() && a.cols() == b.cols() && a.sparse() == b.sparse());
    bits(what, a.values(), b.values());
    bits(what, a.row_ptr(), b.row_ptr());
    bits(what, a.columns(), b.columns());
  }

  void data(const Dataset& a, const Dataset& b) {
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

inline std::string differences(const Dataset& a, const Dataset& b) {
  return Differences(a, b).text();
}

}  // namespace dshn::data::testing
