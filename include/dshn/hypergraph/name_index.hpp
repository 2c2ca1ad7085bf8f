#pragma once

#include <string_view>
#include <vector>

#include "dshn/hypergraph/hypergraph.hpp"

namespace dshn {

/// Finds nodes, or hyperedges, by their names.
class NameIndex {
 public:
  NameIndex(const Names& names, Index count);

  /// The item of this name, else the one whose name is the same text of the other kind: where a file has 1,
  /// another one's "1" is meant. -1 where there is none.
  Index find(std::string_view text, bool is_integer) const;
  Index size() const { return count_; }
  const Names& names() const { return names_; }

 private:
  Index find_exactly(std::string_view text, bool is_integer) const;

  Names names_;
  Index count_ = 0;
  /// Open addressing, at most half full; -1 where there is no item. Empty for implicit names.
  std::vector<Index> slots_;
};

}  // namespace dshn
