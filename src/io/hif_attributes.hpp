#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "dshn/io/load.hpp"
#include "io/id_table.hpp"

namespace dshn::io {

/// The attributes of listed nodes, or hyperedges, that were asked for; of the others, their names.
class HifAttributes {
 public:
  explicit HifAttributes(AttributeChoice choice) : choice_(std::move(choice)) {}

  bool wants(std::string_view name) const {
    return choice_.all || name == choice_.label || choice_.others.contains(std::string(name));
  }
  /// A value of the entry that is being read. Null and the like are no values.
  void add(std::string_view name, std::string value) { pending_.emplace_back(name, std::move(value)); }
  void leave_out(std::string_view name);
  /// The entry is read: it was about this item, and stood at this place of its list.
  void end_entry(Index item, std::int64_t place);

  /// A line about what is not used; empty: nothing.
  std::string unused(const char* what) const;

  /// The table, with the final numbers of its items. Labels that are numbers from 0 on without a gap, and not to
  /// be kept as text, become `labels` instead, -1 where there is none. Throws InvalidInput where an item is listed with two values.
  ItemTable table(const std::string& file, const char* what, const IdTable& ids,
                  const std::vector<Index>& new_id, std::vector<std::int64_t>& labels);

 private:
  TextColumn& column(const std::string& name);
  void merge_repeated(const std::string& file, const char* what, const IdTable& ids);
  bool numbers_from_zero(const TextColumn& column) const;
  void without_minus_one(TextColumn& column) const;

  AttributeChoice choice_;
  std::vector<std::pair<std::string, std::string>> pending_;
  std::vector<Index> items_;
  std::vector<std::int64_t> places_;
  std::vector<TextColumn> columns_;
  std::map<std::string, std::size_t, std::less<>> by_name_;
  std::set<std::string, std::less<>> left_out_;
  bool leaves_out_ = false;  // some of the entry that is being read
  std::int64_t entries_with_left_out_ = 0;
};

}  // namespace dshn::io
