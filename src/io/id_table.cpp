#include "io/id_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

#include "dshn/base/error.hpp"
#include "io/json_text.hpp"

namespace dshn::io {
namespace {

constexpr std::uint64_t kAlwaysDense = std::uint64_t{1} << 22;  // 16 MiB at most for ids that turn out sparse
constexpr std::uint64_t kSlotsPerId = 8;

}  // namespace

Index checked_count(std::int64_t count, const std::string& where) {
  if (count > std::numeric_limits<Index>::max()) {
    throw InvalidInput(fmt::format("{}: {} nodes; at most 2^31 - 1 are supported", where, count));
  }
  return static_cast<Index>(count);
}

Index IdTable::append(std::int64_t value) {
  if (values_.size() >= static_cast<std::size_t>(std::numeric_limits<Index>::max())) {
    throw InvalidInput("more than 2^31 - 1 nodes or hyperedges; ids are 32-bit");
  }
  values_.push_back(value);
  return size() - 1;
}

/// Makes room for the slot if the table stays reasonably full. Integers below dense_.size() are never in
/// sparse_.
bool IdTable::grow_dense(std::uint64_t slot) {
  if (slot < dense_.size()) return true;
  if (slot >= std::max(kAlwaysDense, kSlotsPerId * values_.size())) return false;
  dense_.resize(std::bit_ceil(slot + 1), -1);
  std::erase_if(sparse_, [this](const auto& entry) {
    const auto moved = static_cast<std::uint64_t>(entry.first);
    if (moved >= dense_.size()) return false;
    dense_[moved] = entry.second;
    return true;
  });
  return true;
}

Index IdTable::intern_slow(std::int64_t value) {
  const auto slot = static_cast<std::uint64_t>(value);
  if (grow_dense(slot)) {
    if (dense_[slot] < 0) dense_[slot] = append(value);
    return dense_[slot];
  }
  const auto found = sparse_.find(value);
  if (found != sparse_.end()) return found->second;
  return sparse_[value] = append(value);
}

Index IdTable::intern(std::string_view text) {
  const auto found = text_ids_.find(text);
  if (found != text_ids_.end()) return found->second;
  const Index item = append(0);
  const auto entry = text_ids_.emplace(text, item).first;
  texts_.resize(values_.size());
  texts_[item] = &entry->first;
  return item;
}

Name IdTable::name(Index item) const {
  const bool is_text = static_cast<std::size_t>(item) < texts_.size() && texts_[item] != nullptr;
  return is_text ? Name::string(*texts_[item]) : Name::integer(values_[item]);
}

std::string IdTable::quoted(Index item) const {
  const Name own = name(item);
  return own.is_integer ? own.text : fmt::format("'{}'", excerpt(own.text));
}

std::vector<Index> IdTable::by_value() const {
  std::vector<Index> outside;
  outside.reserve(sparse_.size());
  for (const auto& entry : sparse_) outside.push_back(entry.second);
  std::sort(outside.begin(), outside.end(), [this](Index a, Index b) { return values_[a] < values_[b]; });
  const auto middle =
      std::find_if(outside.begin(), outside.end(), [this](Index i) { return values_[i] >= 0; });

  std::vector<Index> order(outside.begin(), middle);
  order.reserve(values_.size());
  std::copy_if(dense_.begin(), dense_.end(), std::back_inserter(order), [](Index i) { return i >= 0; });
  order.insert(order.end(), middle, outside.end());
  return order;
}

std::vector<Index> IdTable::order(const std::vector<Index>& listed) const {
  if (listed.empty() && text_ids_.empty()) return by_value();
  std::vector<Index> order;
  order.reserve(values_.size());
  std::vector<bool> placed(values_.size());
  const auto place = [&](Index item) {
    if (placed[item]) return;
    placed[item] = true;
    order.push_back(item);
  };
  for (const Index item : listed) place(item);
  for (Index item = 0; item < size(); ++item) place(item);
  return order;
}

Names IdTable::names(const std::vector<Index>& order) const {
  std::int64_t i = 0;
  const bool implicit = text_ids_.empty() && std::all_of(order.begin(), order.end(),
                                                         [&](Index item) { return values_[item] == i++; });
  if (implicit) return {};
  std::vector<Name> names;
  names.reserve(order.size());
  for (const Index item : order) names.push_back(name(item));
  return Names(names);
}

}  // namespace dshn::io
