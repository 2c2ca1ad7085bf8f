#include "data/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "data/class_words.hpp"
#include "data/column_codes.hpp"
#include "data/feature_archive.hpp"
#include "data/item_columns.hpp"
#include "data/name_list.hpp"
#include "data/target_arrays.hpp"
#include "data/target_columns.hpp"
#include "data/time_order.hpp"
#include "dshn/base/error.hpp"
#include "dshn/hypergraph/transforms.hpp"
#include "dshn/io/data_files.hpp"

namespace dshn::data {
namespace {

constexpr const char* kMaskArrays[] = {io::kTrainMasks, io::kValMasks, io::kTestMasks};

io::AttributeChoice attributes_of(const ItemSources& sources, const std::vector<ColumnCode>* like,
                                  const OpenOptions& options) {
  io::AttributeChoice choice;
  const TargetKind usual = options.like ? options.like->target : TargetKind::classes;
  choice.label_as_text = options.target.value_or(usual) != TargetKind::classes;
  if (!sources.label_column.empty()) choice.label = sources.label_column;
  if (choice.label_as_text && !sources.label_column.empty()) {
    for (const std::string& name : split_at_commas(sources.label_column)) choice.others.insert(name);
  }
  choice.all = sources.chosen.rule == FeatureChoice::Rule::all;
  choice.others.insert(sources.chosen.names.begin(), sources.chosen.names.end());
  if (like != nullptr) {
    for (const ColumnCode& column : *like) choice.others.insert(column.name);
  }
  for (const std::string& name : {options.split_column, options.time_column}) {
    if (!name.empty() && name != kNoColumn) choice.others.insert(name);
  }
  return choice;
}

/// Everything that the tables of one data set say.
class TableUser {
 public:
  TableUser(io::Loaded& loaded, const OpenOptions& options, std::optional<Task> usual)
      : loaded_(loaded),
        options_(options),
        nodes_(loaded.node_table, options.nodes, nodes_of(loaded.hypergraph), options),
        edges_(loaded.edge_table, options.edges, edges_of(loaded.hypergraph), options) {
    check_column_names();
    facts_.task = task(usual);
  }

  TableFacts use() {
    items().check_asked_for();
    use_labels();
    use_splits();
    use_times();
    use_weights();
    const DataCode* const like = options_.like ? &*options_.like : nullptr;
    facts_.node_features =
        use_features(nodes_, options_.nodes, io::kNodeFeatures, facts_.code.node_columns,
                     facts_.node_feature_names, like == nullptr ? nullptr : &like->node_columns);
    facts_.edge_features =
        use_features(edges_, options_.edges, io::kEdgeFeatures, facts_.code.edge_columns,
                     facts_.edge_feature_names, like == nullptr ? nullptr : &like->edge_columns);
    for (const ItemColumns* const columns : {&nodes_, &edges_}) {
      facts_.notes.insert(facts_.notes.begin(), columns->notes().begin(), columns->notes().end());
      for (const std::string& line : columns->warnings()) warn(line);
    }
    return std::move(facts_);
  }

 private:
  bool about_nodes() const { return facts_.task == Task::node_classification; }
  const ItemColumns& items() const { return about_nodes() ? nodes_ : edges_; }
  const ItemSources& sources() const { return about_nodes() ? options_.nodes : options_.edges; }
  const char* label_array() const { return about_nodes() ? io::kNodeLabels : io::kEdgeLabels; }
  const char* kind_array() const { return about_nodes() ? io::kNodeTarget : io::kEdgeTarget; }
  void warn(std::string line) { loaded_.warnings.push_back(std::move(line)); }

  Task task(std::optional<Task> usual) const {
    if (options_.task) return *options_.task;
    if (usual) return *usual;
    const bool nodes = nodes_.targets() || loaded_.arrays.contains(io::kNodeLabels);
    const bool edges = edges_.targets() || loaded_.arrays.contains(io::kEdgeLabels);
    return edges && !nodes ? Task::hyperedge_classification : Task::node_classification;
  }

  /// Names that were given to columns must be there, but for data to predict on.
  void check_column_names() const {
    if (options_.like) return;
    for (const char* const role : {"id", "label", "split", "time"}) {
      const auto asked = options_.load.text.columns.find(role);
      if (asked == options_.load.text.columns.end()) continue;
      bool found = false;
      for (const ItemColumns* const columns : {&nodes_, &edges_}) {
        for (const io::ItemTable* const table : columns->tables())
          found = found || table->id_column == asked->second || table->find(asked->second) != nullptr;
      }
      if (!found)
        throw InvalidInput(fmt::format("columns: no table of nodes or hyperedges has a column '{}' for {}",
                                       asked->second, role));
    }
  }

  void use_labels() {
    const ItemColumns::FoundColumns found = items().targets();
    const Items& of = items().items();
    if (!found) {
      if (!sources().label_column.empty() && !loaded_.arrays.contains(label_array()) && !options_.like)
        throw InvalidInput(
            fmt::format("no {} has an attribute or a column '{}'", of.word, sources().label_column));
      return;
    }
    const bool asked_for = !sources().labels.empty() || !sources().label_column.empty();
    if ((!asked_for || options_.like) && std::ranges::all_of(found.columns, empty)) return;
    check_like(options_.like, items().target(), found.table->file);
    if (loaded_.arrays.contains(label_array()))
      warn(fmt::format("{}: its labels are used, those that came with the hypergraph are left out",
                       found.table->file));
    loaded_.arrays.erase(io::kClassNames);
    if (items().target() == TargetKind::classes)
      store_classes(found, of);
    else
      store_values(found, of);
  }

  void store_classes(const ItemColumns::FoundColumns& found, const Items& of) {
    const io::TextColumn& column = *found.columns[0];
    CodedLabels coded = options_.like ? code_labels_like(*found.table, column, of, options_.like->class_names)
                                      : code_labels(*found.table, column, of);
    store_targets(TargetKind::classes, io::Array::of(coded.labels, {of.count}), coded.names);
    facts_.notes.push_back(std::move(coded.note));
  }

  void store_values(const ItemColumns::FoundColumns& found, const Items& of) {
    const bool numbers = items().target() == TargetKind::numbers;
    CodedTargets coded =
        numbers ? code_numbers(*found.table, found.columns, of)
                : code_label_sets(*found.table, found.columns, of,
                                  options_.like ? options_.like->class_names : std::vector<std::string>());
    std::vector<std::int64_t> shape{of.count};
    if (!numbers || coded.names.size() > 1) shape.push_back(static_cast<std::int64_t>(coded.names.size()));
    if (numbers) {
      store_targets(TargetKind::numbers, io::Array::of(coded.values, shape), coded.names);
    } else {
      std::vector<std::int32_t> marks;
      for (const double value : coded.values)
        marks.push_back(std::isnan(value) ? -1 : static_cast<int>(value));
      store_targets(TargetKind::labels, io::Array::of(marks, shape), coded.names);
    }
    facts_.notes.push_back(std::move(coded.note));
  }

  void store_targets(TargetKind kind, io::Array y, const std::vector<std::string>& names) {
    loaded_.arrays[label_array()] = std::move(y);
    loaded_.arrays.erase(kind_array());
    if (kind != TargetKind::classes)
      loaded_.arrays[kind_array()] = io::Array::of(std::vector{std::string(target_kind_name(kind))}, {1});
    if (!names.empty())
      loaded_.arrays[io::kClassNames] = io::Array::of(names, {static_cast<std::int64_t>(names.size())});
  }

  static bool empty(const io::TextColumn* column) {
    for (std::int64_t row = 0; row < column->size(); ++row) {
      if (!(*column)[row].empty()) return false;
    }
    return true;
  }

  bool labelled(Index item) const { return !known_.empty() && known_[static_cast<std::size_t>(item)]; }

  /// Which of the three parts a word means.
  static int part_of(std::string_view word) {
    static const std::map<std::string_view, int> known{{"train", 0}, {"training", 0},   {"val", 1},
                                                       {"valid", 1}, {"validation", 1}, {"dev", 1},
                                                       {"test", 2},  {"testing", 2}};
    const auto found = known.find(word);
    return found == known.end() ? -1 : found->second;
  }

  void use_splits() {
    const ItemColumns::Found found = items().split();
    if (!found || options_.like) return;
    if (loaded_.arrays.contains(io::kTrainMasks)) {
      warn(fmt::format("{}: column '{}' is left out: the data set comes with masks", found.table->file,
                       found.column->name()));
      return;
    }
    const Items& of = items().items();
    if (const auto y = loaded_.arrays.find(label_array()); y != loaded_.arrays.end()) {
      const TargetKind kind =
          kind_of(loaded_.arrays, label_array(), kind_array(), options_.target, "targets");
      known_ = targets_in(y->second, kind, label_array(), of, "targets").known();
    }
    std::vector<bool> masks[3];
    for (auto& mask : masks) mask.resize(static_cast<std::size_t>(of.count));
    std::int64_t unlabelled = 0;
    for (std::int64_t row = 0; row < found.table->rows(); ++row) {
      const Index item = found.table->items[static_cast<std::size_t>(row)];
      const std::string_view word = (*found.column)[row];
      if (word.empty() || item >= of.count) continue;
      const int part = part_of(word);
      if (part < 0)
        found.table->fail(
            row, fmt::format("'{}' in column '{}' is no part of a split; expected train, val, test or "
                             "nothing",
                             word, found.column->name()));
      if (!labelled(item))
        ++unlabelled;
      else
        masks[part][static_cast<std::size_t>(item)] = true;
    }
    for (int part = 0; part < 3; ++part)
      loaded_.arrays[kMaskArrays[part]] = io::Array::of(masks[part], {1, of.count});
    facts_.splits_from = fmt::format("column '{}' of {}", found.column->name(), found.table->file);
    if (unlabelled > 0)
      warn(fmt::format("{}: {} {}s that column '{}' puts into a part have no label and are in none",
                       found.table->file, unlabelled, of.word, found.column->name()));
  }

  void use_times() {
    const ItemColumns::Found found = items().time();
    if (found && !options_.like) facts_.times = time_ranks(*found.table, *found.column, items().items());
  }

  void use_weights() {
    const ItemColumns::Found found = edges_.weights();
    if (!found) return;
    if (loaded_.hypergraph.weighted())
      throw InvalidInput(fmt::format("{}: the hyperedges have weights in the hypergraph's file and here",
                                     found.table->file));
    loaded_.hypergraph = with_items(loaded_.hypergraph, {}, {},
                                    io::weights_in(*found.table, *found.column, edges_.items().count));
    facts_.notes.push_back(fmt::format("{}: column '{}' has the weights of the hyperedges", found.table->file,
                                       found.column->name()));
  }

  Features use_features(const ItemColumns& columns, const ItemSources& sources, const char* array,
                        std::vector<ColumnCode>& code, std::vector<std::string>& names,
                        const std::vector<ColumnCode>* like) {
    if (is_archive(sources.features)) return use_archive(columns, sources, array, names);
    const std::vector<const io::TextColumn*> chosen = columns.features();
    const bool as_trained = like != nullptr && !like->empty();
    if (chosen.empty()) {
      if (as_trained && !loaded_.arrays.contains(array) && !loaded_.arrays.contains(io::kNodeFeatureBits))
        throw InvalidInput(
            fmt::format("trained on features of {}s from {} columns of a table, and there is no such "
                        "table here",
                        columns.items().word, like->size()));
      return {};
    }
    const io::ItemTable& table = *columns.feature_table();
    CodedTable coded = as_trained ? code_table_like(table, chosen, columns.items(), *like)
                                  : code_table(table, chosen, columns.items());
    tell(coded.notes, coded.warnings);
    if (coded.features.cols() == 0) return {};
    drop_array(array, table.file);
    names = feature_names(coded.columns);
    code = std::move(coded.columns);
    return coded.features;
  }

  Features use_archive(const ItemColumns& columns, const ItemSources& sources, const char* array,
                       std::vector<std::string>& names) {
    ArchivedFeatures archived = read_feature_archive(sources.features, columns.items());
    tell(archived.notes, archived.warnings);
    drop_array(array, sources.features);
    names = std::move(archived.names);
    return archived.features;
  }

  void tell(const std::vector<std::string>& notes, const std::vector<std::string>& warnings) {
    facts_.notes.insert(facts_.notes.end(), notes.begin(), notes.end());
    for (const std::string& line : warnings) warn(line);
  }

  /// Features that came with the hypergraph make way for those of a table.
  void drop_array(const std::string& array, const std::string& file) {
    const bool nodes = array == io::kNodeFeatures;
    bool there = loaded_.arrays.erase(array) > 0;
    if (nodes) {
      there = loaded_.arrays.erase(io::kNodeFeatureBits) > 0 || there;
      loaded_.arrays.erase(io::kNodeFeatureShape);
    }
    loaded_.arrays.erase(nodes ? io::kNodeFeatureNames : io::kEdgeFeatureNames);
    if (there)
      warn(fmt::format("{}: its features are used, those that came with the hypergraph are left out", file));
  }

  io::Loaded& loaded_;
  const OpenOptions& options_;
  ItemColumns nodes_;
  ItemColumns edges_;
  TableFacts facts_;
  std::vector<bool> known_;  // of the items' targets; filled where splits are told by a column
};

}  // namespace

io::LoadOptions with_attributes(io::LoadOptions load, const OpenOptions& options) {
  const DataCode* const like = options.like ? &*options.like : nullptr;
  load.node_attributes =
      attributes_of(options.nodes, like == nullptr ? nullptr : &like->node_columns, options);
  load.edge_attributes =
      attributes_of(options.edges, like == nullptr ? nullptr : &like->edge_columns, options);
  return load;
}

void store_features(io::Loaded& loaded, const TableFacts& facts) {
  const auto store = [&](const char* array, const char* names, const Features& features,
                         const std::vector<std::string>& words) {
    if (features.cols() == 0) return;
    loaded.arrays[array] = io::Array::of(features.dense_values(), {features.rows(), features.cols()});
    if (!words.empty())
      loaded.arrays[names] = io::Array::of(words, {static_cast<std::int64_t>(words.size())});
  };
  store(io::kNodeFeatures, io::kNodeFeatureNames, facts.node_features, facts.node_feature_names);
  store(io::kEdgeFeatures, io::kEdgeFeatureNames, facts.edge_features, facts.edge_feature_names);
  loaded.node_table = {};
  loaded.edge_table = {};
}

TableFacts use_tables(io::Loaded& loaded, const OpenOptions& options, std::optional<Task> usual) {
  return TableUser(loaded, options, usual).use();
}

}  // namespace dshn::data
