#include "dshn/hypergraph/names.hpp"

#include <algorithm>

namespace dshn {

Names::Names(const std::vector<Name>& names) {
  std::int64_t i = 0;
  const bool trivial = std::all_of(names.begin(), names.end(), [&i](const Name& name) {
    return name.is_integer && name.text == std::to_string(i++);
  });
  if (trivial) return;
  ptr_.reserve(names.size() + 1);
  ptr_.push_back(0);
  integer_.reserve(names.size());
  for (const Name& name : names) {
    text_ += name.text;
    ptr_.push_back(static_cast<std::int64_t>(text_.size()));
    integer_.push_back(name.is_integer);
  }
}

Name Names::operator[](std::int64_t i) const {
  if (implicit()) return Name::integer(i);
  return {text_.substr(ptr_[i], ptr_[i + 1] - ptr_[i]), integer_[i]};
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
