#include "io/hif_attributes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>

#include "dshn/base/error.hpp"
#include "dshn/io/table.hpp"
#include "io/json_text.hpp"

namespace dshn::io {
namespace {

constexpr std::size_t kMostNames = 6;  // of attributes that are not used

std::optional<std::int64_t> integer_in(std::string_view text) {
  std::int64_t value = 0;
  const bool is_integer = looks_like_integer(text) && parse_number(text, value);
  return is_integer ? std::optional(value) : std::nullopt;
}

}  // namespace

void HifAttributes::leave_out(std::string_view name) {
  leaves_out_ = true;
  if (left_out_.size() <= kMostNames) left_out_.emplace(name);
}

TextColumn& HifAttributes::column(const std::string& name) {
  const auto [found, fresh] = by_name_.emplace(name, columns_.size());
  if (fresh) columns_.emplace_back(name);
  return columns_[found->second];
}

void HifAttributes::end_entry(Index item, std::int64_t place) {
  entries_with_left_out_ += std::exchange(leaves_out_, false) ? 1 : 0;
  if (pending_.empty()) return;
  const auto row = static_cast<std::int64_t>(items_.size());
  for (const auto& [name, value] : pending_) {
    TextColumn& target = column(name);
    if (target.size() > row) continue;  // a key that comes twice
    target.pad(row);
    target.add(value);
  }
  pending_.clear();
  items_.push_back(item);
  places_.push_back(place);
}

std::string HifAttributes::unused(const char* what) const {
  if (entries_with_left_out_ == 0) return "";
  std::vector<std::string> names;
  for (const std::string& name : left_out_)
    names.push_back(names.size() < kMostNames ? excerpt(name) : "...");
  return fmt::format("attributes of {} {}s are not used: {}", entries_with_left_out_, what,
                     fmt::join(names, ", "));
}

/// An item may be listed again with the same values, or with others that were missing.
void HifAttributes::merge_repeated(const std::string& file, const char* what, const IdTable& ids) {
  std::vector<std::int64_t> first(static_cast<std::size_t>(ids.size()), -1);
  std::vector<std::int64_t> target(items_.size());
  std::vector<std::size_t> kept;
  for (std::size_t row = 0; row < items_.size(); ++row) {
    std::int64_t& mine = first[static_cast<std::size_t>(items_[row])];
    if (mine < 0) {
      mine = static_cast<std::int64_t>(kept.size());
      kept.push_back(row);
    }
    target[row] = mine;
  }
  if (kept.size() == items_.size()) return;
  for (TextColumn& column : columns_) {
    std::vector<std::string> merged(kept.size());
    for (std::size_t row = 0; row < items_.size(); ++row) {
      const std::string_view value = column[static_cast<std::int64_t>(row)];
      std::string& known = merged[static_cast<std::size_t>(target[row])];
      if (!known.empty() && !value.empty() && known != value) {
        throw InvalidInput(fmt::format("{}: {} {} is listed with {} {} and with {} {}", file, what,
                                       ids.quoted(items_[row]), excerpt(column.name()), excerpt(known),
                                       excerpt(column.name()), excerpt(value)));
      }
      if (known.empty()) known = value;
    }
    TextColumn fresh(column.name());
    for (const std::string& value : merged) fresh.add(value);
    column = std::move(fresh);
  }
  for (std::size_t i = 0; i < kept.size(); ++i) {
    items_[i] = items_[kept[i]];
    places_[i] = places_[kept[i]];
  }
  items_.resize(kept.size());
  places_.resize(kept.size());
}

bool HifAttributes::numbers_from_zero(const TextColumn& column) const {
  std::set<std::int64_t> seen;
  for (std::int64_t row = 0; row < column.size(); ++row) {
    if (column[row].empty()) continue;
    const auto value = integer_in(column[row]);
    if (!value || *value < -1) return false;
    if (*value >= 0) seen.insert(*value);
  }
  return !seen.empty() && *seen.rbegin() == static_cast<std::int64_t>(seen.size()) - 1;
}

/// Where all labels are integers, -1 says that there is none.
void HifAttributes::without_minus_one(TextColumn& column) const {
  bool integers = true;
  bool unknown = false;
  for (std::int64_t row = 0; row < column.size(); ++row) {
    integers = integers && (column[row].empty() || integer_in(column[row]));
    unknown = unknown || column[row] == "-1";
  }
  if (!integers || !unknown) return;
  TextColumn fresh(column.name());
  for (std::int64_t row = 0; row < column.size(); ++row)
    fresh.add(column[row] == "-1" ? std::string_view() : column[row]);
  column = std::move(fresh);
}

ItemTable HifAttributes::table(const std::string& file, const char* what, const IdTable& ids,
                               const std::vector<Index>& new_id, std::vector<std::int64_t>& labels) {
  for (TextColumn& column : columns_) column.pad(static_cast<std::int64_t>(items_.size()));
  merge_repeated(file, what, ids);
  ItemTable out;
  out.file = file;
  out.place_word = "entry";
  out.places = std::move(places_);
  for (const Index item : items_) out.items.push_back(new_id[static_cast<std::size_t>(item)]);
  for (TextColumn& column : columns_) {
    if (column.name() != choice_.label || choice_.label_as_text) {
      out.columns.push_back(std::move(column));
    } else if (numbers_from_zero(column)) {
      labels.assign(new_id.size(), -1);
      for (std::int64_t row = 0; row < column.size(); ++row)
        labels[static_cast<std::size_t>(out.items[static_cast<std::size_t>(row)])] =
            integer_in(column[row]).value_or(-1);
    } else {
      without_minus_one(column);
      out.columns.push_back(std::move(column));
    }
  }
  if (out.columns.empty()) return {};
  return out;
}

}  // namespace dshn::io
