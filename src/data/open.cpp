#include "dshn/data/open.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "data/column_codes.hpp"
#include "data/synthetic.hpp"
#include "data/tables.hpp"
#include "data/target_arrays.hpp"
#include "dshn/base/error.hpp"
#include "dshn/data/assemble.hpp"
#include "dshn/data/binary_file.hpp"
#include "dshn/data/catalog.hpp"
#include "dshn/data/stored_dataset.hpp"
#include "dshn/io/data_files.hpp"
#include "dshn/io/format.hpp"

namespace dshn::data {
namespace fs = std::filesystem;
namespace {

constexpr const char* kStandardInput = "-";

/// Numbers and labels are known by their places, which tables have put in order.
void check_columns(const Dataset& dataset, const DataCode& like) {
  const std::vector<std::string>& names = dataset.code.class_names;
  if (like.class_names.empty() || names == like.class_names) return;
  // Columns without names are known by their places, and one column of numbers may be called as it likes.
  const auto count = static_cast<std::size_t>(dataset.class_count);
  const bool nameless = names.empty() || (like.target == TargetKind::numbers && count == 1);
  if (nameless && count == like.class_names.size()) return;
  throw InvalidInput(
      fmt::format("{}: has other {} than the model was trained on: {} of them, expected {} ({})",
                  dataset.origin, target_kind_name(like.target), dataset.class_count, like.class_names.size(),
                  some_of(like.class_names)));
}

/// Gives classes the places that a model knows them by.
void rename_classes(Dataset& dataset, const std::vector<std::string>& names) {
  if (dataset.labels.empty() || dataset.code.class_names == names) return;
  std::map<std::string, Index> place;
  for (std::size_t c = 0; c < names.size(); ++c) place[names[c]] = static_cast<Index>(c);
  for (Index& label : dataset.labels) {
    if (label < 0) continue;
    const auto found = place.find(dataset.class_name(label));
    if (found == place.end())
      throw InvalidInput(fmt::format("{}: class '{}' is not one that the model was trained on",
                                     dataset.origin, dataset.class_name(label)));
    label = found->second;
  }
  dataset.code.class_names = names;
  dataset.class_count = static_cast<Index>(names.size());
}

/// The built-in sets have classes, whatever type they are stored in.
std::optional<TargetKind> target_of(const Entry* entry, const OpenOptions& options) {
  return entry != nullptr && !options.target ? TargetKind::classes : options.target;
}

/// Where somebody had to say what the targets are, the arrays say it from now on.
void mark_target(io::Arrays& arrays, const Dataset& dataset, const OpenOptions& options) {
  if (!options.target || !dataset.has_targets()) return;
  const bool nodes = dataset.task == Task::node_classification;
  arrays[nodes ? io::kNodeTarget : io::kEdgeTarget] =
      io::Array::of(std::vector{std::string(target_kind_name(dataset.code.target))}, {1});
}

/// What a model must know of targets of its own kind; data without any is called by the model's words.
void fit_targets(Dataset& dataset, const DataCode& like) {
  if (!dataset.has_targets()) {
    dataset.code.target = like.target;
    dataset.code.class_names = like.class_names;
    return;
  }
  check_like(like, dataset.code.target, dataset.origin);
  if (like.target == TargetKind::classes)
    rename_classes(dataset, like.class_names);
  else
    check_columns(dataset, like);
}

/// What tables and arrays together say.
Dataset made_of(io::Loaded loaded, TableFacts facts, const std::string& name, const std::string& origin,
                const OpenOptions& options) {
  std::vector<std::string> notes = std::move(loaded.notes);
  Dataset dataset = assemble(std::move(loaded), {name, origin, facts.task, options.target});
  if (facts.node_features.cols() > 0) {
    dataset.node_features = facts.node_features;
    dataset.node_feature_names = std::move(facts.node_feature_names);
  }
  if (facts.edge_features.cols() > 0) {
    dataset.edge_features = facts.edge_features;
    dataset.edge_feature_names = std::move(facts.edge_feature_names);
  }
  dataset.code.node_columns = std::move(facts.code.node_columns);
  dataset.code.edge_columns = std::move(facts.code.edge_columns);
  if (!facts.splits_from.empty()) dataset.splits_from = facts.splits_from;
  dataset.times = std::move(facts.times);
  notes.insert(notes.end(), facts.notes.begin(), facts.notes.end());
  dataset.notes = std::move(notes);
  return dataset;
}

/// Columns of features that tables became are the same ones where they came about in the same way.
void check_coded_alike(const Dataset& dataset, const DataCode& like) {
  const auto check = [&](const std::vector<ColumnCode>& here, const std::vector<ColumnCode>& there,
                         const char* items) {
    if (here.empty() || there.empty() || here == there) return;
    throw InvalidInput(
        fmt::format("{}: the features of {}s were made of columns of a table in another way than the model "
                    "was trained on; expected the table itself",
                    dataset.origin, items));
  };
  check(dataset.code.node_columns, like.node_columns, "node");
  check(dataset.code.edge_columns, like.edge_columns, "hyperedge");
}

/// The data set that a binary file holds ready; nothing for other files, and where it is to be read in another way
/// than it was.
std::optional<Dataset> ready_dataset(const fs::path& path, const std::string& name,
                                     const OpenOptions& options, std::optional<Task> task) {
  OpenOptions usual;
  usual.like = options.like;
  if (!read_alike(options, usual) || !io::format_to_read(path).holds_ready) return std::nullopt;
  const BinaryFile file(path);
  if (!file.holds_dataset()) return std::nullopt;
  Dataset dataset = file.dataset();
  if (task && dataset.task != *task) return std::nullopt;
  dataset.name = name;
  if (options.like) check_coded_alike(dataset, *options.like);
  return dataset;
}

/// A binary file that is read in another way still knows what tables once said and no array does.
void keep_what_arrays_lack(Dataset& dataset, const fs::path& path) {
  if (!io::format_to_read(path).holds_ready) return;
  const BinaryFile file(path);
  if (!file.holds_dataset()) return;
  Dataset stored = file.dataset();
  if (dataset.node_features == stored.node_features)
    dataset.code.node_columns = std::move(stored.code.node_columns);
  if (dataset.edge_features == stored.edge_features)
    dataset.code.edge_columns = std::move(stored.code.edge_columns);
  if (dataset.task != stored.task) return;
  if (dataset.times.empty()) dataset.times = std::move(stored.times);
  if (dataset.splits == stored.splits) dataset.splits_from = std::move(stored.splits_from);
}

Dataset load(const fs::path& path, const std::string& name, const OpenOptions& options,
             std::optional<Task> task) {
  std::optional<Dataset> dataset = ready_dataset(path, name, options, task);
  if (!dataset) {
    io::Loaded loaded = io::load(path, with_attributes(options.load, options));
    TableFacts facts = use_tables(loaded, options, task);
    const std::string origin = path == kStandardInput ? "standard input" : path.string();
    dataset = made_of(std::move(loaded), std::move(facts), name, origin, options);
    keep_what_arrays_lack(*dataset, path);
  }
  if (options.like) fit_targets(*dataset, *options.like);
  return std::move(*dataset);
}

/// The paper counts the arcs of a graph, also where the file has weights for them (Telegram).
OpenOptions as_published(OpenOptions options) {
  options.load.incidence_weights = io::IncidenceWeights::ignore;
  return options;
}

Dataset open_built_in(const Entry& entry, const OpenOptions& options) {
  const std::string name(entry.name);
  if (entry.source.availability == Availability::generated) return generate_synthetic(name, options.seed);
  if (const auto folder = locate(name)) {
    OpenOptions known = as_published(options);
    known.target = target_of(&entry, options);
    Dataset dataset = load(loadable(*folder, entry), name, known, entry.task);
    // The remark says what the public files lack beside the complete folder.
    if (is_download(*folder, entry) && !entry.source.remark.empty()) {
      dataset.warnings.emplace_back(entry.source.remark);
    }
    return dataset;
  }
  if (const auto generated = generated_name(name)) {
    Dataset dataset = generate_synthetic(*generated, options.seed);
    dataset.warnings.push_back(
        fmt::format("the authors' files of {} are not here: this is {}, generated with seed {}", name,
                    *generated, options.seed));
    return dataset;
  }
  const bool fetchable = entry.source.availability == Availability::download;
  throw InvalidInput(missing_message(entry, /*name_folders=*/true),
                     fetchable ? Topic{"not-fetched", name} : Topic{});
}

/// The last part of a path without its extensions; of a folder, its name.
std::string name_of(const fs::path& path) {
  const fs::path clean = fs::absolute(path).lexically_normal();
  std::string name = (clean.has_filename() ? clean : clean.parent_path()).filename().string();
  if (!fs::is_directory(path)) name = name.substr(0, name.find('.', 1));
  return name;
}

/// Where the files are; nothing for a data set that is made on the spot, and for what does not exist.
std::optional<fs::path> path_of(const std::string& what, const Entry* entry) {
  if (entry != nullptr) {
    const auto folder = locate(what);
    return folder ? std::optional(loadable(*folder, *entry)) : std::nullopt;
  }
  if (what.find('/') == std::string::npos) {
    if (auto folder = locate(what)) return folder;
  }
  std::error_code ignored;
  return what == kStandardInput || fs::exists(what, ignored) ? std::optional<fs::path>(what) : std::nullopt;
}

/// It can be read once, so one file alone may stand for it.
void check_standard_input(const std::string& what, const OpenOptions& options) {
  const auto files = {what, options.nodes.labels, options.nodes.features, options.edges.labels,
                      options.edges.features};
  if (std::ranges::count(files, kStandardInput) > 1)
    throw UsageError("two files are to be read from standard input; expected one at most");
}

[[noreturn]] void refuse(const std::string& what) {
  if (what.find_first_of("/.") != std::string::npos) {
    throw InvalidInput(fmt::format("{}: no such file or folder", what));
  }
  const std::string nearest = nearest_name(what);
  throw UsageError(fmt::format("\"{}\" is neither a built-in data set nor a file or folder{}", what,
                               nearest.empty() ? "" : fmt::format("; did you mean {}?", nearest)),
                   nearest.empty() ? Topic{"unknown-data"} : Topic{});
}

}  // namespace

Dataset open(const std::string& what, const OpenOptions& options) {
  if (what.empty()) throw UsageError("the name of a data set is empty");
  check_standard_input(what, options);
  if (const Entry* entry = find_entry(what)) return open_built_in(*entry, options);
  if (what == kStandardInput) return load(what, "stdin", options, {});
  if (what.find('/') == std::string::npos && what != "." && what != "..") {
    if (const auto folder = locate(what)) return load(*folder, what, options, {});
  }
  std::error_code error;
  const fs::file_status status = fs::status(what, error);
  if (error && status.type() != fs::file_type::not_found) {
    throw InvalidInput(fmt::format("{}: {}", what, error.message()));
  }
  if (!fs::exists(status)) refuse(what);
  return load(what, name_of(what), options, {});
}

namespace {

/// What is written beside the arrays for use in place, and keeps them.
void store_ready(io::Loaded& loaded, Dataset dataset) {
  // A file is called by its own name, and equal data make equal files.
  for (std::string* const text : {&dataset.name, &dataset.origin, &dataset.format}) text->clear();
  const auto kept = std::make_shared<const Dataset>(std::move(dataset));
  loaded.ready = to_arrays(*kept);
  for (auto& [name, view] : loaded.ready)
    if (view.owner == nullptr) view.owner = kept;
}

}  // namespace

OpenedArrays open_arrays(const std::string& what, const OpenOptions& options, bool ready) {
  check_standard_input(what, options);
  const Entry* const entry = find_entry(what);
  OpenedArrays opened;
  if (const auto path = path_of(what, entry)) {
    OpenOptions read = entry != nullptr ? as_published(options) : options;
    read.target = target_of(entry, options);
    opened.loaded = io::load(*path, with_attributes(read.load, read));
    const auto task = entry != nullptr ? std::optional(entry->task) : std::nullopt;
    TableFacts facts = use_tables(opened.loaded, read, task);
    store_features(opened.loaded, facts);
    opened.notes = opened.loaded.notes;
    opened.notes.insert(opened.notes.end(), facts.notes.begin(), facts.notes.end());
    if (opened.loaded.arrays.empty() && !ready) return opened;
    // Also to refuse arrays that do not fit the hypergraph or each other.
    std::optional<Dataset> dataset = ready_dataset(*path, what, read, task);
    if (!dataset) {
      dataset = made_of(opened.loaded, std::move(facts), what, path->string(), read);
      keep_what_arrays_lack(*dataset, *path);
    }
    mark_target(opened.loaded.arrays, *dataset, options);
    if (ready) store_ready(opened.loaded, std::move(*dataset));
    return opened;
  }
  Dataset dataset = open(what, options);
  const std::vector<std::int64_t> labels(dataset.labels.begin(), dataset.labels.end());
  opened.loaded.hypergraph = dataset.hypergraph;
  opened.loaded.format = dataset.format;
  opened.loaded.warnings = dataset.warnings;
  opened.loaded.arrays[io::kNodeLabels] = io::Array::of(labels, {static_cast<std::int64_t>(labels.size())});
  if (ready) store_ready(opened.loaded, std::move(dataset));
  return opened;
}

std::vector<std::string> save_arrays(const io::Loaded& loaded, const fs::path& path) {
  if (!loaded.ready.empty() || !io::format_to_write(path).holds_ready) return io::save(loaded, path);
  io::Loaded with_ready = loaded;
  store_ready(with_ready, assemble(loaded, {path.string(), path.string(), {}, {}}));
  return io::save(with_ready, path);
}

bool read_alike(const OpenOptions& a, const OpenOptions& b) {
  const io::LoadOptions& x = a.load;
  const io::LoadOptions& y = b.load;
  return x.on_conflict == y.on_conflict && x.missing_direction == y.missing_direction &&
         x.incidence_weights == y.incidence_weights && x.first_column_is_tail == y.first_column_is_tail &&
         x.text_kind == y.text_kind && x.text == y.text && a.nodes == b.nodes && a.edges == b.edges &&
         a.split_column == b.split_column && a.time_column == b.time_column && a.task == b.task &&
         a.target == b.target && a.like == b.like;
}

}  // namespace dshn::data
