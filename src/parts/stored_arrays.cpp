#include "parts/stored_arrays.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "dshn/base/error.hpp"

namespace dshn::parts {
namespace {

template <typename T>
constexpr io::DType dtype_of() {
  if constexpr (std::is_same_v<T, std::int32_t>) return io::DType::int32;
  if constexpr (std::is_same_v<T, std::int64_t>) return io::DType::int64;
  if constexpr (std::is_same_v<T, float>) return io::DType::float32;
  if constexpr (std::is_same_v<T, double>) return io::DType::float64;
  return io::DType::uint8;
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
void put(io::Arrays& arrays, const std::string& name, std::span<const T> values) {
  const auto bytes = std::as_bytes(values);
  arrays[name] = {
      dtype_of<T>(), {static_cast<std::int64_t>(values.size())}, {bytes.begin(), bytes.end()}, {}};
}

void put_texts(io::Arrays& arrays, const std::string& name, const std::vector<std::string>& texts) {
  std::vector<std::uint8_t> bytes;
  for (const std::string& text : texts) bytes.insert(bytes.end(), text.begin(), text.end());
  put(arrays, name, bytes);
  put(arrays, begins(name), begins_of(texts));
}

void put_lists(io::Arrays& arrays, const std::string& name,
               const std::vector<std::vector<std::int32_t>>& lists) {
  std::vector<std::int32_t> all;
  for (const auto& list : lists) all.insert(all.end(), list.begin(), list.end());
  put(arrays, name, all);
  put(arrays, begins(name), begins_of(lists));
}

template <typename T>
std::vector<T> StoredArrays::take(const std::string& name) {
  const auto found = arrays_.extract(name);
  if (found.empty()) fail(name, "is missing");
  const io::Array& array = found.mapped();
  if (array.dtype != dtype_of<T>() || array.shape.size() != 1) {
    fail(name, fmt::format("is {} of shape {}, expected {} in one dimension", io::dtype_name(array.dtype),
                           io::shape_text(array.shape), io::dtype_name(dtype_of<T>())));
  }
  std::vector<T> values(static_cast<std::size_t>(array.shape.front()));
  if (!values.empty()) std::memcpy(values.data(), array.bytes.data(), array.bytes.size());
  return values;
}

template <typename T>
std::vector<T> StoredArrays::take(const std::string& name, std::size_t count) {
  std::vector<T> values = take<T>(name);
  if (values.size() != count) fail(name, fmt::format("has {} entries, expected {}", values.size(), count));
  return values;
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

void StoredArrays::finish() const {
  if (!arrays_.empty()) fail(arrays_.begin()->first, "is not expected there");
}

void StoredArrays::fail(const std::string& name, const std::string& fault) const {
  throw InvalidInput(fmt::format("{}: the array '{}' {}", where_, name, fault));
}

template void put(io::Arrays&, const std::string&, std::span<const std::uint8_t>);
template void put(io::Arrays&, const std::string&, std::span<const std::int32_t>);
template void put(io::Arrays&, const std::string&, std::span<const std::int64_t>);
template void put(io::Arrays&, const std::string&, std::span<const float>);
template void put(io::Arrays&, const std::string&, std::span<const double>);
template std::vector<std::uint8_t> StoredArrays::take(const std::string&);
template std::vector<std::int32_t> StoredArrays::take(const std::string&);
template std::vector<std::int64_t> StoredArrays::take(const std::string&);
template std::vector<float> StoredArrays::take(const std::string&);
template std::vector<double> StoredArrays::take(const std::string&);
template std::vector<std::uint8_t> StoredArrays::take(const std::string&, std::size_t);
template std::vector<std::int32_t> StoredArrays::take(const std::string&, std::size_t);
template std::vector<std::int64_t> StoredArrays::take(const std::string&, std::size_t);
template std::vector<float> StoredArrays::take(const std::string&, std::size_t);
template std::vector<double> StoredArrays::take(const std::string&, std::size_t);

}  // namespace dshn::parts
