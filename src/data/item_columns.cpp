#include "data/item_columns.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "data/column_codes.hpp"
#include "data/feature_archive.hpp"
#include "data/name_list.hpp"
#include "dshn/base/error.hpp"

namespace dshn::data {
namespace {

std::vector<std::string> names_of(const io::ItemTable& table) {
  std::vector<std::string> names;
  for (const io::TextColumn& column : table.columns) names.push_back(column.name());
  return names;
}

std::vector<std::string> quoted(const std::vector<Name>& names) {
  std::vector<std::string> out;
  for (const Name& name : names) out.push_back(name.is_integer ? name.text : fmt::format("'{}'", name.text));
  return out;
}

}  // namespace

ItemColumns::ItemColumns(const io::ItemTable& own, const ItemSources& sources, const Items& items,
                         const OpenOptions& options)
    : own_(own), sources_(sources), options_(options), items_(items) {
  notes_ = own.notes;
  label_file_ = read(sources.labels);
  if (!is_archive(sources.features)) feature_file_ = read(sources.features);
}

/// Ids that are no items of the hypergraph are named and left out; a file of such ids alone is the wrong one.
std::optional<io::ItemTable> ItemColumns::read(const std::string& file) {
  if (file.empty()) return std::nullopt;
  const NameIndex names(*items_.names, items_.count);
  const io::ItemKind kind{items_.word.c_str(), &names};
  io::ItemTable table = io::read_item_table(file, kind, options_.load.text, options_.load.progress);
  const std::vector<std::string> strangers = quoted(table.strangers);
  if (static_cast<std::int64_t>(strangers.size()) == table.rows()) {
    throw InvalidInput(fmt::format("{}: none of its {} ids is a {} of the hypergraph: {} there, {} here",
                                   file, strangers.size(), items_.word, some_of(strangers),
                                   items_.count > 0 ? items_.names->quoted(0) + ", ..." : "none"));
  }
  if (!strangers.empty()) {
    warnings_.push_back(fmt::format("{}: {} of {} ids are no {}s of the hypergraph and are left out: {}",
                                    file, strangers.size(), table.rows(), items_.word, some_of(strangers)));
  }
  notes_.insert(notes_.end(), table.notes.begin(), table.notes.end());
  return table;
}

std::vector<const io::ItemTable*> ItemColumns::tables() const {
  std::vector<const io::ItemTable*> all;
  if (label_file_) all.push_back(&*label_file_);
  if (feature_file_) all.push_back(&*feature_file_);
  if (own_.rows() > 0) all.push_back(&own_);
  return all;
}

std::string ItemColumns::renamed(const std::string& role) const {
  const auto found = options_.load.text.columns.find(role);
  return found == options_.load.text.columns.end() ? "" : found->second;
}

ItemColumns::Found ItemColumns::find(const std::string& name) const {
  for (const io::ItemTable* const table : tables()) {
    if (const io::TextColumn* const column = table->find(name)) return {table, column};
  }
  return {};
}

ItemColumns::Found ItemColumns::asked_for(const std::string& name, const std::string& role,
                                          const std::string& usual) const {
  if (name == kNoColumn) return {};
  if (!name.empty()) return find(name);
  if (const Found found = find(renamed(role))) return found;
  return usual.empty() ? Found{} : find(usual);
}

void ItemColumns::check_asked_for() const {
  if (options_.like) return;  // data to predict on may lack them
  for (const std::string& name : {options_.split_column, options_.time_column}) {
    if (!name.empty() && name != kNoColumn && !find(name))
      throw InvalidInput(
          fmt::format("no table or attribute of the {}s has a column '{}'", items_.word, name));
  }
}

TargetKind ItemColumns::target() const {
  if (options_.target) return *options_.target;
  return options_.like ? options_.like->target : TargetKind::classes;
}

ItemColumns::FoundColumns ItemColumns::find_several(const std::string& names) const {
  for (const io::ItemTable* const table : tables()) {
    FoundColumns found{table, {}};
    for (const std::string& name : split_at_commas(names)) found.columns.push_back(table->find(name));
    if (std::ranges::find(found.columns, nullptr) == found.columns.end()) return found;
  }
  return {};
}

ItemColumns::FoundColumns ItemColumns::find_targets(const std::string& name) const {
  if (const Found one = find(name)) return {one.table, {one.column}};
  return target() == TargetKind::classes ? FoundColumns{} : find_several(name);
}

ItemColumns::FoundColumns ItemColumns::targets_in_file() const {
  const io::ItemTable& table = *label_file_;
  if (!sources_.label_column.empty()) {
    const FoundColumns found = find_targets(sources_.label_column);
    if (found && found.table == &table) return found;
    throw InvalidInput(fmt::format("{}: there is no column '{}'; it has {}", table.file,
                                   sources_.label_column, some_of(names_of(table))));
  }
  for (const std::string& name :
       {renamed("label"), std::string("label"), std::string("class"), std::string("y")}) {
    if (const io::TextColumn* const column = table.find(name)) return {&table, {column}};
  }
  const std::string split = options_.split_column.empty() ? "split" : options_.split_column;
  FoundColumns left{&table, {}};
  for (const io::TextColumn& column : table.columns) {
    if (column.name() != split && column.name() != options_.time_column) left.columns.push_back(&column);
  }
  if (left.columns.size() == 1 || (!left.columns.empty() && target() != TargetKind::classes)) return left;
  throw InvalidInput(
      left.columns.empty()
          ? fmt::format("{}: there is no column beside the ids; expected one with the {}", table.file,
                        target_kind_name(target()))
          : fmt::format("{}: none of the columns {} is called label; which one has the classes?", table.file,
                        some_of(names_of(table))));
}

ItemColumns::FoundColumns ItemColumns::targets() const {
  FoundColumns found;
  if (label_file_)
    found = targets_in_file();
  else if (!sources_.label_column.empty())
    found = find_targets(sources_.label_column);
  else
    for (const std::string& name : {renamed("label"), std::string("label")})
      if (!found) found = find_targets(name);
  // A model knows its columns by their names, in an order of its own.
  if (options_.like && found.columns.size() > 1) {
    const FoundColumns whole = found;
    found.columns.clear();
    for (const std::string& name : options_.like->class_names) {
      const auto same = [&](const io::TextColumn* column) { return column->name() == name; };
      const auto column = std::ranges::find_if(whole.columns, same);
      if (column == whole.columns.end())
        throw InvalidInput(
            fmt::format("{}: there is no column '{}', which the model was trained on; it has {}",
                        whole.table->file, name, some_of(names_of(*whole.table))));
      found.columns.push_back(*column);
    }
  }
  return found;
}

ItemColumns::Found ItemColumns::weights() const {
  const auto trained_on = [&] {
    const auto named = [](const ColumnCode& column) { return column.name == io::kWeightColumn; };
    return options_.like && std::ranges::any_of(options_.like->edge_columns, named);
  };
  const bool other = sources_.chosen.names.contains(io::kWeightColumn) ||
                     sources_.label_column == io::kWeightColumn || trained_on();
  if (items_.word != "hyperedge" || other) return {};
  for (const auto* const file : {&feature_file_, &label_file_}) {
    if (!*file) continue;
    if (const io::TextColumn* const column = (*file)->find(io::kWeightColumn)) return {&**file, column};
  }
  return {};
}

const io::ItemTable* ItemColumns::feature_table() const {
  if (feature_file_) return &*feature_file_;
  return own_.rows() > 0 && !is_archive(sources_.features) ? &own_ : nullptr;
}

bool ItemColumns::is_feature(const io::TextColumn& column) const {
  const std::string& name = column.name();
  const std::string label = sources_.label_column.empty() ? "label" : sources_.label_column;
  const Found others[] = {split(), time(), weights()};
  const FoundColumns aims = targets();
  const bool taken =
      std::ranges::any_of(others, [&](const Found& f) { return f && f.column->name() == name; }) ||
      std::ranges::any_of(aims.columns, [&](const io::TextColumn* c) { return c->name() == name; });
  if (name == label || name == renamed("label") || taken) return false;
  return sources_.chosen.rule != FeatureChoice::Rule::named || sources_.chosen.names.contains(name);
}

std::vector<const io::TextColumn*> ItemColumns::features() const {
  std::vector<const io::TextColumn*> columns;
  const io::ItemTable* const table = feature_table();
  if (table == nullptr) return columns;
  for (const std::string& name : sources_.chosen.names) {
    if (table->find(name) == nullptr && !options_.like)
      throw InvalidInput(fmt::format("{}: there is no column or attribute '{}' of {}s to make features of",
                                     table->file, name, items_.word));
  }
  for (const io::TextColumn& column : table->columns) {
    if (is_feature(column)) columns.push_back(&column);
  }
  return columns;
}

}  // namespace dshn::data
