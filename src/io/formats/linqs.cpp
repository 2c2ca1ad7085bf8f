#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "dshn/hypergraph/transforms.hpp"
#include "dshn/io/data_files.hpp"
#include "dshn/io/format.hpp"
#include "io/feature_rows.hpp"
#include "io/text_columns.hpp"

namespace dshn::io {
namespace {

namespace fs = std::filesystem;

/// What a LINQS .content file says.
struct Papers {
  std::vector<std::string> ids;
  Arrays arrays;
};

Papers read_content(const fs::path& path) {
  Table table(path);
  Papers papers;
  FeatureRows features;
  std::vector<std::string> classes;
  std::vector<std::string_view> fields;
  for (const TableRow* row = table.next(); row != nullptr; row = table.next()) {
    if (row->fields.size() < 2) table.fail(row->line, "expected a paper's id, its features and its class");
    papers.ids.emplace_back(row->fields.front().text);
    classes.emplace_back(row->fields.back().text);
    fields.clear();
    for (std::size_t i = 1; i + 1 < row->fields.size(); ++i) fields.push_back(row->fields[i].text);
    features.add(table, row->line, fields);
  }
  std::vector<std::string> names = classes;
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::vector<std::int64_t> labels;
  labels.reserve(classes.size());
  for (const std::string& name : classes) {
    labels.push_back(std::lower_bound(names.begin(), names.end(), name) - names.begin());
  }
  std::vector<Index> order(papers.ids.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<Index>(i);
  papers.arrays[kNodeFeatures] = features.array(order);
  papers.arrays[kNodeLabels] = Array::of(labels, {static_cast<std::int64_t>(labels.size())});
  papers.arrays[kClassNames] = Array::of(names, {static_cast<std::int64_t>(names.size())});
  return papers;
}

Name paper_name(const std::string& id) {
  return {id, looks_like_integer(id)};
}

/// The arcs among known papers.
struct Citations {
  std::vector<Index> cited, citing;
  std::int64_t dropped = 0;
};

Citations read_citations(Table& table, const std::vector<std::string>& ids) {
  std::unordered_map<std::string_view, Index> number;
  for (const std::string& id : ids) {
    if (!number.emplace(id, static_cast<Index>(number.size())).second) {
      table.fail(fmt::format("paper '{}' is listed twice among the papers with features", id));
    }
  }
  Citations out;
  for (const TableRow* row = table.next(); row != nullptr; row = table.next()) {
    if (row->fields.size() != 2)
      table.fail(row->line, "expected the ids of the cited and of the citing paper");
    const auto cited = number.find(row->fields[0].text);
    const auto citing = number.find(row->fields[1].text);
    if (cited == number.end() || citing == number.end()) {
      ++out.dropped;
      continue;
    }
    out.cited.push_back(cited->second);
    out.citing.push_back(citing->second);
  }
  return out;
}

/// LINQS .cites: rows (cited paper, citing paper); the cited paper is the tail. Nodes are the papers of the
/// .content file beside it (id, features, class), in its order, with class_names in alphabetical order;
/// papers that it does not list are dropped with a warning. Without that file every paper mentioned is a
/// node, numbered as in text.hpp.
Loaded read_linqs(const fs::path& path, const LoadOptions& options) {
  Table table(path, options.progress);
  fs::path content = path;
  content.replace_extension(".content");
  if (!fs::exists(content)) {
    TextColumns columns;
    columns.from = 0;
    columns.to = 1;
    columns.count = 2;
    Loaded loaded = read_arc_table(table, columns, options);
    loaded.format = "LINQS citations";
    loaded.warnings.push_back(
        fmt::format("no {} beside the file: every paper that is mentioned is a node, and there are "
                    "neither features nor classes",
                    content.filename().string()));
    return loaded;
  }

  Papers papers = read_content(content);
  const Citations arcs = read_citations(table, papers.ids);
  std::vector<Name> names;
  for (const std::string& id : papers.ids) names.push_back(paper_name(id));
  Loaded loaded;
  loaded.hypergraph =
      from_directed_graph(static_cast<Index>(papers.ids.size()),
                          {arcs.cited, arcs.citing, options.first_column_is_tail}, Names(names));
  loaded.arrays = std::move(papers.arrays);
  loaded.format = "LINQS citations";
  if (arcs.dropped > 0) {
    loaded.warnings.push_back(
        fmt::format("{} citations name a paper without features and were left out", arcs.dropped));
  }
  return loaded;
}

}  // namespace

Format linqs_format() {
  return {.name = "linqs",
          .title = "LINQS citations",
          .extensions = {".cites"},
          .compressible = true,
          .recognised_by = "text, by the extension",
          .section = "raw-formats",
          .recognise =
              [](const Candidate& candidate) { return candidate.text() && candidate.extension == ".cites"; },
          .read = read_linqs};
}

}  // namespace dshn::io
