#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "dshn/hypergraph/hypergraph.hpp"
#include "dshn/io/array_file.hpp"

/// What hypergraphs and data sets are made of, as named arrays of numbers: for files of arrays.
namespace dshn::io {

/// Values that stand where the owner keeps them.
template <typename T>
struct Kept {
  std::span<const T> values;
  std::shared_ptr<const void> owner;
};

/// A view of values that must outlive it. T is int32, int64, uint8, float or double, here and below.
template <typename T>
void put(ArrayViews& arrays, const std::string& name, std::span<const T> values);
/// Keeps the values itself.
template <typename T>
void put_kept(ArrayViews& arrays, const std::string& name, std::vector<T> values);
/// Two arrays: the bytes of all texts, whatever they are, and where each begins.
void put_texts(ArrayViews& arrays, const std::string& name, const std::vector<std::string>& texts);
/// Two arrays: all values, and where each list begins.
void put_lists(ArrayViews& arrays, const std::string& name,
               const std::vector<std::vector<std::int32_t>>& lists);
/// Both views, weights and names: views of what the hypergraph has, which must outlive them.
void put_hypergraph(ArrayViews& arrays, const Hypergraph& hypergraph);

/// The arrays of a file, taken one after another.
class StoredArrays {
 public:
  /// `where` begins every message.
  StoredArrays(ArrayViews arrays, std::string where) : arrays_(std::move(arrays)), where_(std::move(where)) {}

  bool has(const std::string& name) const { return arrays_.contains(name); }
  /// Where they are. Each throws InvalidInput where the array is missing, has more than one dimension or is of another
  /// type.
  template <typename T>
  Kept<T> view(const std::string& name);
  /// As many as that.
  template <typename T>
  Kept<T> view(const std::string& name, std::size_t count);
  /// A copy.
  template <typename T>
  std::vector<T> take(const std::string& name);
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
  /// Stands on the arrays. Their lengths are looked at; what they say is for find_fault.
  Hypergraph take_hypergraph();
  /// All arrays whose names begin so, by the rest of their names.
  ArrayViews take_all(const std::string& prefix);
  /// InvalidInput where arrays are left.
  void finish() const;

  const std::string& where() const { return where_; }
  [[noreturn]] void fail(const std::string& name, const std::string& fault) const;
  void require(bool holds, const std::string& name, const char* fault) const {
    if (!holds) fail(name, fault);
  }

 private:
  Names take_names(const std::string& name);

  ArrayViews arrays_;
  std::string where_;
};

}  // namespace dshn::io
