#pragma once

#include <string>

#include "data/same_dataset.hpp"
#include "dshn/parts/part.hpp"

namespace dshn::parts::testing {

/// What in two parts is not the same, to the bit; empty: nothing.
class Differences {
 public:
  Differences(const Part& a, const Part& b) {
    plans(a.plan, b.plan);
    text_ += data::testing::differences(a.dataset, b.dataset);
  }
  const std::string& text() const { return text_; }

 private:
  void equal(const char* what, bool same) {
    if (!same) text_ += std::string(what) + " ";
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

  std::string text_;
};

inline std::string differences(const Part& a, const Part& b) {
  return Differences(a, b).text();
}

}  // namespace dshn::parts::testing
