#include "dshn/hypergraph/names.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "dshn/base/error.hpp"

namespace dshn {
namespace {

/// What copies of the names share.
struct KeptNames {
  std::string text;
  std::vector<std::int64_t> ptr;
  std::vector<std::uint8_t> integer;
};

}  // namespace

Names::Names(const std::vector<Name>& names) {
  std::int64_t i = 0;
  const bool trivial = std::all_of(names.begin(), names.end(), [&i](const Name& name) {
    return name.is_integer && name.text == std::to_string(i++);
  });
  if (trivial) return;
  auto kept = std::make_shared<KeptNames>();
  kept->ptr.reserve(names.size() + 1);
  kept->ptr.push_back(0);
  kept->integer.reserve(names.size());
  for (const Name& name : names) {
    kept->text += name.text;
    kept->ptr.push_back(static_cast<std::int64_t>(kept->text.size()));
    kept->integer.push_back(name.is_integer ? 1 : 0);
  }
  const NameViews views{kept->text, kept->ptr, kept->integer};
  table_ = std::make_shared<const Table>(Table{views, std::move(kept)});
}

Names::Names(const NameViews& views, std::shared_ptr<const void> owner) {
  if (views.ptr.size() != views.integer.size() + 1) {
    throw InvalidInput(fmt::format("{} beginnings of {} names; expected one more than names",
                                   views.ptr.size(), views.integer.size()));
  }
  table_ = std::make_shared<const Table>(Table{views, std::move(owner)});
}

Name Names::operator[](std::int64_t i) const {
  if (implicit()) return Name::integer(i);
  return {std::string(text(i)), is_integer(i)};
}

bool Names::operator==(const Names& other) const {
  if (table_ == other.table_) return true;
  if (implicit() || other.implicit()) return false;
  const NameViews& mine = views();
  const NameViews& theirs = other.views();
  return mine.text == theirs.text && std::ranges::equal(mine.ptr, theirs.ptr) &&
         std::ranges::equal(mine.integer, theirs.integer);
}

std::string Names::quoted(std::int64_t i) const {
  const Name name = (*this)[i];
  return name.is_integer ? name.text : "'" + name.text + "'";
}

Names Names::subset(const std::vector<std::int32_t>& items) const {
  std::vector<Name> chosen;
  chosen.reserve(items.size());
  for (const std::int32_t i : items) chosen.push_back((*this)[i]);
  return Names(chosen);
}

}  // namespace dshn
