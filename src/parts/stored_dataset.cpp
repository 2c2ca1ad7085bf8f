#include "parts/stored_dataset.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace dshn::parts {
namespace {

constexpr std::int64_t kMostColumns = std::numeric_limits<Index>::max();

void put_number(io::Arrays& arrays, const char* name, std::int64_t number) {
  put(arrays, name, std::span<const std::int64_t>(&number, 1));
}

void put_features(io::Arrays& arrays, const std::string& name, const data::Features& features) {
  const std::vector<Index> shape{features.rows(), features.cols()};
  put(arrays, name + "_shape", shape);
  put(arrays, name, features.values());
  if (!features.sparse()) return;
  put(arrays, name + "_row_begin", features.row_ptr());
  put(arrays, name + "_columns", features.columns());
}

data::Features take_entries(StoredArrays& arrays, const std::string& name, Index rows, Index cols) {
  data::Features::Entries entries;
  entries.columns = arrays.take<Index>(name + "_columns");
  entries.row_ptr = arrays.take_begins(name + "_row_begin", entries.columns.size());
  arrays.require(entries.row_ptr.size() == static_cast<std::size_t>(rows) + 1, name + "_row_begin",
                 "does not have a beginning for each row");
  for (std::size_t row = 1; row < entries.row_ptr.size(); ++row) {
    const auto columns =
        std::span<const Index>(entries.columns)
            .subspan(static_cast<std::size_t>(entries.row_ptr[row - 1]),
                     static_cast<std::size_t>(entries.row_ptr[row] - entries.row_ptr[row - 1]));
    const bool ascend = std::ranges::adjacent_find(columns, std::ranges::greater_equal()) == columns.end();
    arrays.require(ascend && (columns.empty() || (columns.front() >= 0 && columns.back() < cols)),
                   name + "_columns", "has a row whose columns are out of range or do not ascend");
  }
  entries.values = arrays.take<float>(name);
  arrays.require(entries.values.empty() || entries.values.size() == entries.columns.size(), name,
                 "does not have a value for each entry");
  return {rows, cols, std::move(entries)};
}

data::Features take_features(StoredArrays& arrays, const std::string& name, std::size_t items) {
  const std::vector<Index> shape = arrays.take<Index>(name + "_shape", 2);
  const bool fits = shape[0] == static_cast<Index>(items) || (shape[0] == 0 && shape[1] == 0);
  arrays.require(fits && shape[1] >= 0, name + "_shape", "does not have a row for each item");
  if (arrays.has(name + "_columns")) return take_entries(arrays, name, shape[0], shape[1]);
  std::vector<float> values =
      arrays.take<float>(name, static_cast<std::size_t>(shape[0]) * static_cast<std::size_t>(shape[1]));
  if (shape[0] == 0 && shape[1] == 0) return {};
  return {shape[0], shape[1], std::move(values)};
}

void put_columns(io::Arrays& arrays, const std::string& name, const std::vector<data::ColumnCode>& columns) {
  std::vector<std::string> names;
  std::vector<std::string> words;
  std::vector<std::int64_t> begin{0};
  std::vector<double> fill;
  std::vector<std::uint8_t> marks;
  for (const data::ColumnCode& column : columns) {
    names.push_back(column.name);
    words.insert(words.end(), column.words.begin(), column.words.end());
    begin.push_back(static_cast<std::int64_t>(words.size()));
    fill.push_back(column.fill);
    marks.push_back(column.marks_missing ? 1 : 0);
  }
  put_texts(arrays, name, names);
  put_texts(arrays, name + "_words", words);
  put(arrays, name + "_word_begin", begin);
  put(arrays, name + "_fill", fill);
  put(arrays, name + "_marks_missing", marks);
}

std::vector<data::ColumnCode> take_columns(StoredArrays& arrays, const std::string& name) {
  std::vector<std::string> names = arrays.take_texts(name);
  std::vector<std::string> words = arrays.take_texts(name + "_words");
  const std::vector<std::int64_t> begin = arrays.take_begins(name + "_word_begin", words.size());
  arrays.require(begin.size() == names.size() + 1, name + "_word_begin",
                 "does not have a beginning for each column");
  const std::vector<double> fill = arrays.take<double>(name + "_fill", names.size());
  const std::vector<std::uint8_t> marks = arrays.take_flags(name + "_marks_missing", names.size());
  std::vector<data::ColumnCode> columns;
  for (std::size_t i = 0; i < names.size(); ++i) {
    columns.push_back({std::move(names[i]),
                       {words.begin() + begin[i], words.begin() + begin[i + 1]},
                       fill[i],
                       marks[i] != 0});
  }
  return columns;
}

void put_splits(io::Arrays& arrays, const std::vector<data::Split>& splits) {
  std::vector<std::vector<Index>> sets;
  for (const data::Split& split : splits) {
    for (const auto set : {&data::Split::train, &data::Split::val, &data::Split::test})
      sets.push_back(split.*set);
  }
  put_lists(arrays, "splits", sets);
}

std::vector<data::Split> take_splits(StoredArrays& arrays, std::size_t items) {
  std::vector<std::vector<Index>> sets = arrays.take_lists("splits");
  arrays.require(sets.size() % 3 == 0, "splits", "does not have three sets for each split");
  std::vector<std::size_t> last(items, 0);  // split in which the item was seen, from 1 on
  std::vector<data::Split> splits(sets.size() / 3);
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

void take_targets(StoredArrays& arrays, data::Dataset& dataset) {
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

io::Arrays to_arrays(const data::Dataset& dataset) {
  io::Arrays arrays;
  put_hypergraph(arrays, dataset.hypergraph);
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
  put(arrays, "labels", dataset.labels);
  put(arrays, "values", dataset.values);
  put(arrays, "times", dataset.times);
  put_splits(arrays, dataset.splits);
  put_texts(arrays, "about", {dataset.name, dataset.splits_from, dataset.origin, dataset.format});
  put_texts(arrays, "warnings", dataset.warnings);
  put_texts(arrays, "notes", dataset.notes);
  return arrays;
}

data::Dataset dataset_from(StoredArrays& arrays, const Plan& plan) {
  data::Dataset dataset;
  dataset.hypergraph = take_hypergraph(arrays, plan);
  dataset.task = static_cast<data::Task>(
      arrays.take_number("task", 0, static_cast<int>(data::Task::hyperedge_classification)));
  dataset.code.target = static_cast<data::TargetKind>(
      arrays.take_number("target", 0, static_cast<int>(data::TargetKind::labels)));
  dataset.generated = arrays.take_flag("generated");
  dataset.node_features = take_features(arrays, "x", plan.nodes.size());
  dataset.edge_features = take_features(arrays, "edge_x", plan.edges.size());
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
  arrays.finish();
  return dataset;
}

}  // namespace dshn::parts
