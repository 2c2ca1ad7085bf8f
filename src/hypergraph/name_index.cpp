#include "dshn/hypergraph/name_index.hpp"

#include <bit>
#include <charconv>
#include <functional>

namespace dshn {

NameIndex::NameIndex(const Names& names, Index count) : names_(names), count_(count) {
  if (names_.implicit()) return;
  slots_.assign(std::bit_ceil(2 * static_cast<std::size_t>(count) + 1), -1);
  for (Index item = 0; item < count; ++item) {
    std::size_t slot = std::hash<std::string_view>()(names_.text(item)) & (slots_.size() - 1);
    while (slots_[slot] >= 0) slot = (slot + 1) & (slots_.size() - 1);
    slots_[slot] = item;
  }
}

Index NameIndex::find_exactly(std::string_view text, bool is_integer) const {
  if (names_.implicit()) {
    Index item = -1;
    const auto end = std::from_chars(text.data(), text.data() + text.size(), item);
    const bool whole = end.ec == std::errc() && end.ptr == text.data() + text.size();
    const bool plain = text.size() == 1 || !text.starts_with('0');
    return is_integer && whole && plain && item >= 0 && item < count_ ? item : -1;
  }
  std::size_t slot = std::hash<std::string_view>()(text) & (slots_.size() - 1);
  for (; slots_[slot] >= 0; slot = (slot + 1) & (slots_.size() - 1)) {
    const Index item = slots_[slot];
    if (names_.is_integer(item) == is_integer && names_.text(item) == text) return item;
  }
  return -1;
}

Index NameIndex::find(std::string_view text, bool is_integer) const {
  const Index exact = find_exactly(text, is_integer);
  return exact >= 0 ? exact : find_exactly(text, !is_integer);
}

}  // namespace dshn
