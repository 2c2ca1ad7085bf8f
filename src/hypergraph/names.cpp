#include "dshn/hypergraph/names.hpp"

#include <algorithm>

namespace dshn {

Names::Names(const std::vector<Name>& names) {
  std::int64_t i = 0;
  const bool trivial = std::all_of(names.begin(), names.end(), [&i](const Name& name) {
    return name.is_integer && name.text == std::to_string(i++);
  });
  if (trivial) return;
  auto table = std::make_shared<Table>();
  table->ptr.reserve(names.size() + 1);
  table->ptr.push_back(0);
  table->integer.reserve(names.size());
  for (const Name& name : names) {
    table->text += name.text;
    table->ptr.push_back(static_cast<std::int64_t>(table->text.size()));
    table->integer.push_back(name.is_integer);
  }
  table_ = std::move(table);
}

Name Names::operator[](std::int64_t i) const {
  if (implicit()) return Name::integer(i);
  const std::vector<std::int64_t>& ptr = table_->ptr;
  return {table_->text.substr(ptr[i], ptr[i + 1] - ptr[i]), table_->integer[i]};
}

bool Names::operator==(const Names& other) const {
  if (table_ == other.table_) return true;
  return !implicit() && !other.implicit() && *table_ == *other.table_;
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
