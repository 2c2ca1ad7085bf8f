#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "dshn/io/array.hpp"

namespace dshn::parts {

/// T is int32, int64, uint8, float or double, here and below.
template <typename T>
void put(io::Arrays& arrays, const std::string& name, std::span<const T> values);
template <typename T>
void put(io::Arrays& arrays, const std::string& name, const std::vector<T>& values) {
  put(arrays, name, std::span<const T>(values));
}
/// Two arrays: the bytes of all texts, whatever they are, and where each begins.
void put_texts(io::Arrays& arrays, const std::string& name, const std::vector<std::string>& texts);
/// Two arrays: all values, and where each list begins.
void put_lists(io::Arrays& arrays, const std::string& name,
               const std::vector<std::vector<std::int32_t>>& lists);

/// The arrays of a file, taken one after another; the memory of those that were taken is given back.
class StoredArrays {
 public:
  /// `where` begins every message.
  StoredArrays(io::Arrays arrays, std::string where) : arrays_(std::move(arrays)), where_(std::move(where)) {}

  bool has(const std::string& name) const { return arrays_.contains(name); }
  /// Each throws InvalidInput where the array is missing, has more than one dimension or is of another type.
  template <typename T>
  std::vector<T> take(const std::string& name);
  /// As many as that.
  template <typename T>
  std::vector<T> take(const std::string& name, std::size_t count);
  /// One that is at least `least` and at most `most`.
  std::int64_t take_number(const std::string& name, std::int64_t least, std::int64_t most);
  bool take_flag(const std::string& name) { return take_number(name, 0, 1) != 0; }
  /// Each 0 or 1.
  std::vector<std::uint8_t> take_flags(const std::string& name, std::size_t count);
  std::vector<std::string> take_texts(const std::string& name);
  std::vector<std::vector<std::int32_t>> take_lists(const std::string& name);
  /// Where things begin among `count` others: from 0 to `count`, never less than before.
  std::vector<std::int64_t> take_begins(const std::string& name, std::size_t count);
  /// InvalidInput where arrays are left.
  void finish() const;

  const std::string& where() const { return where_; }
  [[noreturn]] void fail(const std::string& name, const std::string& fault) const;
  void require(bool holds, const std::string& name, const char* fault) const {
    if (!holds) fail(name, fault);
  }

 private:
  io::Arrays arrays_;
  std::string where_;
};

}  // namespace dshn::parts
