#include "dshn/data/stored_dataset.hpp"

#include <algorithm>
#include <atomic>
#include <functional>
#include <limits>
#include <utility>

#include "dshn/base/error.hpp"
#include "dshn/base/parallel_rows.hpp"
#include "dshn/hypergraph/soundness.hpp"

namespace dshn::data {
namespace {

using io::ArrayViews;
using io::put;
using io::put_kept;
using io::put_lists;
using io::put_texts;
using io::StoredArrays;

constexpr std::int64_t kMostColumns = std::numeric_limits<Index>::max();

void put_number(ArrayViews& arrays, const char* name, std::int64_t number) {
  put_kept(arrays, name, std::vector{number});
}

void put_features(ArrayViews& arrays, const std::string& name, const Features& features) {
  put_kept(arrays, name + "_shape", std::vector<Index>{features.rows(), features.cols()});
  put(arrays, name, features.values());
  if (!features.sparse()) return;
  put(arrays, name + "_row_begin", features.row_ptr());
  put(arrays, name + "_columns", features.columns());
}

/// Whether the rows' entries lie behind each other, and each row's columns ascend in range.
bool are_sound(std::span<const Offset> row_begin, std::span<const Index> columns, Index cols) {
  if (row_begin.front() != 0 || row_begin.back() != static_cast<Offset>(columns.size())) return false;
  if (!std::ranges::is_sorted(row_begin)) return false;
  std::atomic<bool> sound{true};
  parallel_rows(row_begin, kGrain, [&](Offset first, Offset last) {
    for (Offset row = first; row < last; ++row) {
      const auto begin = static_cast<std::size_t>(row_begin[row]);
      const auto entries = columns.subspan(begin, static_cast<std::size_t>(row_begin[row + 1]) - begin);
      const bool ascend = std::ranges::adjacent_find(entries, std::ranges::greater_equal()) == entries.end();
      if (!ascend || (!entries.empty() && (entries.front() < 0 || entries.back() >= cols))) sound = false;
    }
  });
  return sound;
}

Features take_entries(StoredArrays& arrays, const std::string& name, Index rows, Index cols) {
  const auto columns = arrays.view<Index>(name + "_columns");
  const auto row_begin = arrays.view<Offset>(name + "_row_begin", static_cast<std::size_t>(rows) + 1);
  const auto values = arrays.view<float>(name);
  arrays.require(are_sound(row_begin.values, columns.values, cols), name + "_columns",
                 "has a row whose columns are out of range or do not ascend");
  arrays.require(values.values.empty() || values.values.size() == columns.values.size(), name,
                 "does not have a value for each entry");
  return {rows, cols, Features::EntryViews{row_begin.values, columns.values, values.values}, columns.owner};
}

Features take_features(StoredArrays& arrays, const std::string& name, Index items) {
  const std::vector<Index> shape = arrays.take<Index>(name + "_shape", 2);
  const bool fits = shape[0] == items || (shape[0] == 0 && shape[1] == 0);
  arrays.require(fits && shape[1] >= 0, name + "_shape", "does not have a row for each item");
  if (arrays.has(name + "_columns")) return take_entries(arrays, name, shape[0], shape[1]);
  const auto values =
      arrays.view<float>(name, static_cast<std::size_t>(shape[0]) * static_cast<std::size_t>(shape[1]));
  if (shape[0] == 0 && shape[1] == 0) return {};
  return {shape[0], shape[1], values.values, values.owner};
}

void put_columns(ArrayViews& arrays, const std::string& name, const std::vector<ColumnCode>& columns) {
  std::vector<std::string> names;
  std::vector<std::string> words;
  std::vector<std::int64_t> begin{0};
  std::vector<double> fill;
  std::vector<std::uint8_t> marks;
  for (const ColumnCode& column : columns) {
    names.push_back(column.name);
    words.insert(words.end(), column.words.begin(), column.words.end());
    begin.push_back(static_cast<std::int64_t>(words.size()));
    fill.push_back(column.fill);
    marks.push_back(column.marks_missing ? 1 : 0);
  }
  put_texts(arrays, name, names);
  put_texts(arrays, name + "_words", words);
  put_kept(arrays, name + "_word_begin", std::move(begin));
  put_kept(arrays, name + "_fill", std::move(fill));
  put_kept(arrays, name + "_marks_missing", std::move(marks));
}

std::vector<ColumnCode> take_columns(StoredArrays& arrays, const std::string& name) {
  std::vector<std::string> names = arrays.take_texts(name);
  std::vector<std::string> words = arrays.take_texts(name + "_words");
  const std::vector<std::int64_t> begin = arrays.take_begins(name + "_word_begin", words.size());
  arrays.require(begin.size() == names.size() + 1, name + "_word_begin",
                 "does not have a beginning for each column");
  const std::vector<double> fill = arrays.take<double>(name + "_fill", names.size());
  const std::vector<std::uint8_t> marks = arrays.take_flags(name + "_marks_missing", names.size());
  std::vector<ColumnCode> columns;
  for (std::size_t i = 0; i < names.size(); ++i) {
    columns.push_back({std::move(names[i]),
                       {words.begin() + begin[i], words.begin() + begin[i + 1]},
                       fill[i],
                       marks[i] != 0});
  }
  return columns;
}

void put_splits(ArrayViews& arrays, const std::vector<Split>& splits) {
  std::vector<std::vector<Index>> sets;
  for (const Split& split : splits) {
    for (const auto set : {&Split::train, &Split::val, &Split::test}) sets.push_back(split.*set);
  }
  put_lists(arrays, "splits", sets);
}

std::vector<Split> take_splits(StoredArrays& arrays, std::size_t items) {
  std::vector<std::vector<Index>> sets = arrays.take_lists("splits");
  arrays.require(sets.size() % 3 == 0, "splits", "does not have three sets for each split");
  std::vector<std::size_t> last(items, 0);  // split in which the item was seen, from 1 on
  std::vector<Split> splits(sets.size() / 3);
  for (std::size_t i = 0; i < sets.size(); ++i) {
    arrays.require(std::ranges::is_sorted(sets[i]), "splits", "has a set that does not ascend");
    for (const Index item : sets[i]) {
      arrays.require(item >= 0 && static_cast<std::size_t>(item) < items, "splits", "has items out of range");
      arrays.require(std::exchange(last[static_cast<std::size_t>(item)], i / 3 + 1) != i / 3 + 1, "splits",
                     "has an item twice in a split");
    }
  }
  for (std::size_t i = 0; i < splits.size(); ++i)
    splits[i] = {std::move(sets[3 * i]), std::move(sets[3 * i + 1]), std::move(sets[3 * i + 2])};
  return splits;
}

void take_targets(StoredArrays& arrays, Dataset& dataset) {
  const auto items = static_cast<std::size_t>(dataset.item_count());
  dataset.class_count = static_cast<Index>(arrays.take_number("class_count", 0, kMostColumns));
  dataset.labels = arrays.take<Index>("labels");
  arrays.require(dataset.labels.empty() || dataset.labels.size() == items, "labels",
                 "does not have a class for each item");
  const auto known = [&](Index label) { return label >= -1 && label < dataset.class_count; };
  arrays.require(std::ranges::all_of(dataset.labels, known), "labels", "has classes out of range");
  dataset.values = arrays.take<double>("values");
  arrays.require(dataset.values.empty() ||
                     dataset.values.size() == items * static_cast<std::size_t>(dataset.class_count),
                 "values", "does not have a row for each item");
  dataset.code.class_names = arrays.take_texts("class_names");
  arrays.require(dataset.code.class_names.empty() ||
                     dataset.code.class_names.size() >= static_cast<std::size_t>(dataset.class_count),
                 "class_names", "does not have a word for each class");
  dataset.times = arrays.take<Index>("times");
  arrays.require(dataset.times.empty() || dataset.times.size() == items, "times",
                 "does not have a time for each item");
  dataset.splits = take_splits(arrays, items);
}

std::vector<std::string> take_column_names(StoredArrays& arrays, const std::string& name, Index cols) {
  std::vector<std::string> names = arrays.take_texts(name);
  arrays.require(names.empty() || names.size() == static_cast<std::size_t>(cols), name,
                 "does not have a name for each column");
  return names;
}

/// Name, origin and the like: a list of single texts.
constexpr std::size_t kWordsAbout = 4;

}  // namespace

ArrayViews to_arrays(const Dataset& dataset) {
  ArrayViews arrays;
  io::put_hypergraph(arrays, dataset.hypergraph);
  put_features(arrays, "x", dataset.node_features);
  put_features(arrays, "edge_x", dataset.edge_features);
  put_texts(arrays, "x_names", dataset.node_feature_names);
  put_texts(arrays, "edge_x_names", dataset.edge_feature_names);
  put_columns(arrays, "node_columns", dataset.code.node_columns);
  put_columns(arrays, "edge_columns", dataset.code.edge_columns);
  put_texts(arrays, "class_names", dataset.code.class_names);
  put_number(arrays, "target", static_cast<int>(dataset.code.target));
  put_number(arrays, "task", static_cast<int>(dataset.task));
  put_number(arrays, "class_count", dataset.class_count);
  put_number(arrays, "generated", dataset.generated ? 1 : 0);
  put(arrays, "labels", std::span<const Index>(dataset.labels));
  put(arrays, "values", std::span<const double>(dataset.values));
  put(arrays, "times", std::span<const Index>(dataset.times));
  put_splits(arrays, dataset.splits);
  put_texts(arrays, "about", {dataset.name, dataset.splits_from, dataset.origin, dataset.format});
  put_texts(arrays, "warnings", dataset.warnings);
  put_texts(arrays, "notes", dataset.notes);
  return arrays;
}

Dataset dataset_from(StoredArrays& arrays) {
  Dataset dataset;
  dataset.hypergraph = arrays.take_hypergraph();
  if (const std::string fault = find_fault(dataset.hypergraph, Soundness::memory); !fault.empty())
    throw InvalidInput(arrays.where() + ": " + fault);
  dataset.task =
      static_cast<Task>(arrays.take_number("task", 0, static_cast<int>(Task::hyperedge_classification)));
  dataset.code.target =
      static_cast<TargetKind>(arrays.take_number("target", 0, static_cast<int>(TargetKind::labels)));
  dataset.generated = arrays.take_flag("generated");
  dataset.node_features = take_features(arrays, "x", dataset.hypergraph.node_count());
  dataset.edge_features = take_features(arrays, "edge_x", dataset.hypergraph.edge_count());
  dataset.node_feature_names = take_column_names(arrays, "x_names", dataset.node_features.cols());
  dataset.edge_feature_names = take_column_names(arrays, "edge_x_names", dataset.edge_features.cols());
  dataset.code.node_columns = take_columns(arrays, "node_columns");
  dataset.code.edge_columns = take_columns(arrays, "edge_columns");
  take_targets(arrays, dataset);
  std::vector<std::string> words = arrays.take_texts("about");
  arrays.require(words.size() == kWordsAbout, "about", "does not have name, splits, origin and format");
  dataset.name = std::move(words[0]);
  dataset.splits_from = std::move(words[1]);
  dataset.origin = std::move(words[2]);
  dataset.format = std::move(words[3]);
  dataset.warnings = arrays.take_texts("warnings");
  dataset.notes = arrays.take_texts("notes");
  return dataset;
}

}  // namespace dshn::data
