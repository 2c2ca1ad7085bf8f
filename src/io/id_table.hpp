#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "dshn/hypergraph/hypergraph.hpp"

namespace dshn::io {

/// `count` as an Index. Throws InvalidInput for more items than 32 bits can number.
Index checked_count(std::int64_t count, const std::string& where);

/// Numbers ids, integers or strings, in the order in which they first appear. Small integers, the usual case,
/// cost one look into an array.
class IdTable {
 public:
  Index intern(std::int64_t value) {
    const auto slot = static_cast<std::uint64_t>(value);  // negative ones become huge
    if (slot < dense_.size() && dense_[slot] >= 0) return dense_[slot];
    return intern_slow(value);
  }
  Index intern(std::string_view text);

  Index size() const { return static_cast<Index>(values_.size()); }
  /// As a message shows it.
  std::string quoted(Index item) const;

  /// The final order: entry i is the item that becomes number i. First `listed` (which may repeat items),
  /// then the rest as it appeared; by value if nothing is listed and all ids are integers.
  std::vector<Index> order(const std::vector<Index>& listed) const;
  Names names(const std::vector<Index>& order) const;

 private:
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };

  Index intern_slow(std::int64_t value);
  Index append(std::int64_t value);
  bool grow_dense(std::uint64_t slot);
  std::vector<Index> by_value() const;
  Name name(Index item) const;

  std::vector<Index> dense_;                        // by value; -1 where there is no such id
  std::unordered_map<std::int64_t, Index> sparse_;  // integers outside dense_
  std::unordered_map<std::string, Index, TextHash, std::equal_to<>> text_ids_;
  std::vector<std::int64_t> values_;       // by item; 0 for strings
  std::vector<const std::string*> texts_;  // by item; null, or beyond the end, for integers
};

}  // namespace dshn::io
