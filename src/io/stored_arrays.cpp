#include "dshn/io/stored_arrays.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>

#include "dshn/base/error.hpp"

namespace dshn::io {
namespace {

template <typename T>
constexpr DType dtype_of() {
  if constexpr (std::is_same_v<T, std::int32_t>) return DType::int32;
  if constexpr (std::is_same_v<T, std::int64_t>) return DType::int64;
  if constexpr (std::is_same_v<T, float>) return DType::float32;
  if constexpr (std::is_same_v<T, double>) return DType::float64;
  return DType::uint8;
}

std::string begins(const std::string& name) {
  return name + "_begin";
}

/// `count` 0, and behind it where each ends.
template <typename Lists>
std::vector<std::int64_t> begins_of(const Lists& lists) {
  std::vector<std::int64_t> out{0};
  out.reserve(lists.size() + 1);
  for (const auto& list : lists) out.push_back(out.back() + static_cast<std::int64_t>(list.size()));
  return out;
}

}  // namespace

template <typename T>
void put(ArrayViews& arrays, const std::string& name, std::span<const T> values) {
  arrays[name] = {dtype_of<T>(), {static_cast<std::int64_t>(values.size())}, std::as_bytes(values), nullptr};
}

template <typename T>
void put_kept(ArrayViews& arrays, const std::string& name, std::vector<T> values) {
  const auto kept = std::make_shared<const std::vector<T>>(std::move(values));
  put(arrays, name, std::span<const T>(*kept));
  arrays[name].owner = kept;
}

void put_texts(ArrayViews& arrays, const std::string& name, const std::vector<std::string>& texts) {
  std::vector<std::uint8_t> bytes;
  for (const std::string& text : texts) bytes.insert(bytes.end(), text.begin(), text.end());
  put_kept(arrays, name, std::move(bytes));
  put_kept(arrays, begins(name), begins_of(texts));
}

void put_lists(ArrayViews& arrays, const std::string& name,
               const std::vector<std::vector<std::int32_t>>& lists) {
  std::vector<std::int32_t> all;
  for (const auto& list : lists) all.insert(all.end(), list.begin(), list.end());
  put_kept(arrays, name, std::move(all));
  put_kept(arrays, begins(name), begins_of(lists));
}

template <typename T>
Kept<T> StoredArrays::view(const std::string& name) {
  const auto found = arrays_.extract(name);
  if (found.empty()) fail(name, "is missing");
  const ArrayView& array = found.mapped();
  if (array.dtype != dtype_of<T>() || array.shape.size() != 1) {
    fail(name, fmt::format("is {} of shape {}, expected {} in one dimension", dtype_name(array.dtype),
                           shape_text(array.shape), dtype_name(dtype_of<T>())));
  }
  const auto* const first = reinterpret_cast<const T*>(array.bytes.data());
  return {{first, static_cast<std::size_t>(array.shape.front())}, array.owner};
}

template <typename T>
Kept<T> StoredArrays::view(const std::string& name, std::size_t count) {
  Kept<T> kept = view<T>(name);
  if (kept.values.size() != count)
    fail(name, fmt::format("has {} entries, expected {}", kept.values.size(), count));
  return kept;
}

template <typename T>
std::vector<T> StoredArrays::take(const std::string& name) {
  const Kept<T> kept = view<T>(name);
  return {kept.values.begin(), kept.values.end()};
}

template <typename T>
std::vector<T> StoredArrays::take(const std::string& name, std::size_t count) {
  const Kept<T> kept = view<T>(name, count);
  return {kept.values.begin(), kept.values.end()};
}

std::int64_t StoredArrays::take_number(const std::string& name, std::int64_t least, std::int64_t most) {
  const std::int64_t number = take<std::int64_t>(name, 1).front();
  if (number < least || number > most)
    fail(name, fmt::format("is {}, expected {} to {}", number, least, most));
  return number;
}

std::vector<std::uint8_t> StoredArrays::take_flags(const std::string& name, std::size_t count) {
  std::vector<std::uint8_t> flags = take<std::uint8_t>(name, count);
  require(std::ranges::all_of(flags, [](std::uint8_t flag) { return flag <= 1; }), name,
          "has entries other than 0 and 1");
  return flags;
}

std::vector<std::int64_t> StoredArrays::take_begins(const std::string& name, std::size_t count) {
  std::vector<std::int64_t> begin = take<std::int64_t>(name);
  const bool whole = !begin.empty() && begin.front() == 0 && begin.back() == static_cast<std::int64_t>(count);
  if (!whole || !std::ranges::is_sorted(begin))
    fail(name, fmt::format("does not rise from 0 to {}, the number of what it divides", count));
  return begin;
}

std::vector<std::string> StoredArrays::take_texts(const std::string& name) {
  const std::vector<std::uint8_t> bytes = take<std::uint8_t>(name);
  const std::vector<std::int64_t> begin = take_begins(begins(name), bytes.size());
  std::vector<std::string> texts;
  texts.reserve(begin.size() - 1);
  for (std::size_t i = 1; i < begin.size(); ++i)
    texts.emplace_back(bytes.begin() + begin[i - 1], bytes.begin() + begin[i]);
  return texts;
}

std::vector<std::vector<std::int32_t>> StoredArrays::take_lists(const std::string& name) {
  const std::vector<std::int32_t> all = take<std::int32_t>(name);
  const std::vector<std::int64_t> begin = take_begins(begins(name), all.size());
  std::vector<std::vector<std::int32_t>> lists;
  for (std::size_t i = 1; i < begin.size(); ++i)
    lists.emplace_back(all.begin() + begin[i - 1], all.begin() + begin[i]);
  return lists;
}

ArrayViews StoredArrays::take_all(const std::string& prefix) {
  ArrayViews taken;
  for (auto at = arrays_.lower_bound(prefix); at != arrays_.end() && at->first.starts_with(prefix);) {
    taken[at->first.substr(prefix.size())] = std::move(at->second);
    at = arrays_.erase(at);
  }
  return taken;
}

void StoredArrays::finish() const {
  if (!arrays_.empty()) fail(arrays_.begin()->first, "is not expected there");
}

void StoredArrays::fail(const std::string& name, const std::string& fault) const {
  throw InvalidInput(fmt::format("{}: the array '{}' {}", where_, name, fault));
}

template void put(ArrayViews&, const std::string&, std::span<const std::uint8_t>);
template void put(ArrayViews&, const std::string&, std::span<const std::int32_t>);
template void put(ArrayViews&, const std::string&, std::span<const std::int64_t>);
template void put(ArrayViews&, const std::string&, std::span<const float>);
template void put(ArrayViews&, const std::string&, std::span<const double>);
template void put_kept(ArrayViews&, const std::string&, std::vector<std::uint8_t>);
template void put_kept(ArrayViews&, const std::string&, std::vector<std::int32_t>);
template void put_kept(ArrayViews&, const std::string&, std::vector<std::int64_t>);
template void put_kept(ArrayViews&, const std::string&, std::vector<float>);
template void put_kept(ArrayViews&, const std::string&, std::vector<double>);
template Kept<std::uint8_t> StoredArrays::view(const std::string&);
template Kept<std::uint8_t> StoredArrays::view(const std::string&, std::size_t);
template Kept<std::int32_t> StoredArrays::view(const std::string&);
template Kept<std::int32_t> StoredArrays::view(const std::string&, std::size_t);
template Kept<std::int64_t> StoredArrays::view(const std::string&);
template Kept<std::int64_t> StoredArrays::view(const std::string&, std::size_t);
template Kept<float> StoredArrays::view(const std::string&);
template Kept<float> StoredArrays::view(const std::string&, std::size_t);
template Kept<double> StoredArrays::view(const std::string&);
template Kept<double> StoredArrays::view(const std::string&, std::size_t);
template std::vector<std::uint8_t> StoredArrays::take(const std::string&);
template std::vector<std::uint8_t> StoredArrays::take(const std::string&, std::size_t);
template std::vector<std::int32_t> StoredArrays::take(const std::string&);
template std::vector<std::int32_t> StoredArrays::take(const std::string&, std::size_t);
template std::vector<std::int64_t> StoredArrays::take(const std::string&);
template std::vector<std::int64_t> StoredArrays::take(const std::string&, std::size_t);
template std::vector<float> StoredArrays::take(const std::string&);
template std::vector<float> StoredArrays::take(const std::string&, std::size_t);
template std::vector<double> StoredArrays::take(const std::string&);
template std::vector<double> StoredArrays::take(const std::string&, std::size_t);

}  // namespace dshn::io
