#include "data/target_arrays.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dshn/base/error.hpp"

namespace dshn::data {
namespace {

bool is_floating(const io::Array& y) {
  return y.dtype >= io::DType::float16 && y.dtype <= io::DType::float64;
}

std::int64_t columns_of(const io::Array& y) {
  return y.shape.size() == 2 ? y.shape[1] : 1;
}

/// Whether a number says that an item has a label, has not, or that nobody knows.
bool is_label_mark(double value) {
  return value == 0 || value == 1 || value == -1 || std::isnan(value);
}

void check_shape(const io::Array& y, const std::string& name, const Items& items, const std::string& where) {
  const bool fits =
      (y.shape.size() == 1 || (y.shape.size() == 2 && y.shape[1] > 0)) && y.shape[0] == items.count;
  if (fits) return;
  throw InvalidInput(fmt::format("{}: {} has shape {}, expected a row for each of {} {}s", where, name,
                                 io::shape_text(y.shape), items.count, items.word));
}

/// Sets whole rows to NaN where one of their values is.
void forget_partly_known(std::vector<double>& values, std::size_t columns) {
  for (auto row = values.begin(); row != values.end(); row += static_cast<std::ptrdiff_t>(columns)) {
    const auto end = row + static_cast<std::ptrdiff_t>(columns);
    if (std::any_of(row, end, [](double v) { return std::isnan(v); })) std::fill(row, end, kUnknownValue);
  }
}

void check_value(double value, TargetKind kind, const std::string& what, const std::string& item) {
  if (kind == TargetKind::labels && !is_label_mark(value))
    throw InvalidInput(
        fmt::format("{}: {} has {}, expected 1 or 0 for each label, or -1 (not known)", what, item, value));
  if (std::isinf(value))
    throw InvalidInput(
        fmt::format("{}: {} has {}, expected a finite number or NaN (not known)", what, item, value));
}

Targets values_in(const io::Array& y, TargetKind kind, const std::string& name, const Items& items,
                  const std::string& where) {
  check_shape(y, name, items, where);
  Targets out;
  out.kind = kind;
  out.count = static_cast<Index>(columns_of(y));
  const std::string what = where + ": " + name;
  out.values = y.as<double>(what);
  const auto columns = static_cast<std::size_t>(out.count);
  for (std::size_t i = 0; i < out.values.size(); ++i) {
    check_value(out.values[i], kind, what, items.quoted(static_cast<std::int64_t>(i / columns)));
    if (kind == TargetKind::labels && out.values[i] < 0) out.values[i] = kUnknownValue;
  }
  forget_partly_known(out.values, columns);
  return out;
}

}  // namespace

std::vector<bool> Targets::known() const {
  std::vector<bool> out;
  for (const Index label : labels) out.push_back(label >= 0);
  for (std::size_t i = 0; i < values.size(); i += static_cast<std::size_t>(count))
    out.push_back(!std::isnan(values[i]));
  return out;
}

TargetKind kind_of(const io::Arrays& arrays, const std::string& name, const std::string& marker,
                   std::optional<TargetKind> asked, const std::string& where) {
  if (asked) return *asked;
  if (const auto mark = arrays.find(marker); mark != arrays.end()) {
    const auto words = mark->second.as<std::string>(where + ": " + marker);
    const auto kind = words.size() == 1 ? target_kind(words[0]) : std::nullopt;
    if (kind) return *kind;
    throw InvalidInput(fmt::format("{}: {} must be one word: classes, numbers or labels", where, marker));
  }
  const io::Array& y = arrays.at(name);
  if (columns_of(y) < 2) return is_floating(y) ? TargetKind::numbers : TargetKind::classes;
  return std::ranges::all_of(y.as<double>(where + ": " + name), is_label_mark) ? TargetKind::labels
                                                                               : TargetKind::numbers;
}

Targets targets_in(const io::Array& y, TargetKind kind, const std::string& name, const Items& items,
                   const std::string& where) {
  if (kind != TargetKind::classes) return values_in(y, kind, name, items, where);
  Targets out;
  out.labels = class_labels(y, name, items, where);
  if (!out.labels.empty()) out.count = *std::ranges::max_element(out.labels) + 1;
  return out;
}

void check_like(const std::optional<DataCode>& like, TargetKind kind, const std::string& where) {
  if (!like || like->target == kind) return;
  throw InvalidInput(fmt::format("{}: has {} to predict, but the model was trained on {}", where,
                                 target_kind_name(kind), target_kind_name(like->target)));
}

}  // namespace dshn::data
