#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dshn {

/// The id a file gave to a node or hyperedge. "1" and 1 are different names, as in HIF.
struct Name {
  std::string text;
  bool is_integer = false;

  static Name integer(std::int64_t value) { return {std::to_string(value), true}; }
  static Name string(std::string text) { return {std::move(text), false}; }
  bool operator==(const Name&) const = default;
};

/// Names in memory that somebody keeps: name i is the bytes ptr[i] .. ptr[i+1] of `text`, an integer where integer[i]
/// is 1.
struct NameViews {
  std::string_view text;
  std::span<const std::int64_t> ptr;
  std::span<const std::uint8_t> integer;
};

/// Names of items 0..n-1, immutable and shared by all copies. Empty means that item i is named by the integer
/// i, which costs no memory.
class Names {
 public:
  Names() = default;
  /// Collapses to the empty table when name i is the integer i for all i.
  explicit Names(const std::vector<Name>& names);
  /// Stands on what `owner` keeps, without a copy. InvalidInput where the lengths do not fit; what `ptr` says must be
  /// sound: see find_fault.
  Names(const NameViews& views, std::shared_ptr<const void> owner);

  bool implicit() const { return table_ == nullptr; }
  /// How many names the table holds: 0 when they are implicit.
  std::int64_t size() const {
    return implicit() ? 0 : static_cast<std::int64_t>(table_->views.integer.size());
  }
  Name operator[](std::int64_t i) const;
  /// The parts of a name that is not implicit, without a copy.
  std::string_view text(std::int64_t i) const {
    const auto& [text, ptr, integer] = table_->views;
    return text.substr(ptr[i], ptr[i + 1] - ptr[i]);
  }
  bool is_integer(std::int64_t i) const { return table_->views.integer[i] != 0; }
  /// Those of a table that is not implicit.
  const NameViews& views() const { return table_->views; }
  /// As it should appear in a message: integers bare, strings quoted.
  std::string quoted(std::int64_t i) const;
  /// Names of the chosen items, in the given order.
  Names subset(const std::vector<std::int32_t>& items) const;
  bool operator==(const Names& other) const;

 private:
  struct Table {
    NameViews views;
    std::shared_ptr<const void> owner;
  };

  std::shared_ptr<const Table> table_;
};

}  // namespace dshn
