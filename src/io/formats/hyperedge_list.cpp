#include <fmt/format.h>

#include "dshn/base/error.hpp"
#include "dshn/io/format.hpp"
#include "io/byte_stream.hpp"
#include "io/text.hpp"
#include "io/text_columns.hpp"
#include "io/weight_remarks.hpp"

namespace dshn::io {
namespace {

/// Collects the rows of a hyperedge list; items have provisional numbers until the end.
class HyperedgeListReader {
 public:
  HyperedgeListReader(const Table& table, const TextColumns& columns, const LoadOptions& options)
      : table_(table), columns_(columns), options_(options) {}

  void directive(const TableRow& row) {
    const std::string_view word = row.fields.empty() ? std::string_view() : row.fields[0].text;
    const std::size_t arguments = row.fields.empty() ? 0 : row.fields.size() - 1;
    if (word == "dshn") return;
    if (word == "nodes" && arguments == 1) {
      nodes_.declare_range(table_, row.line, row.fields[1]);
    } else if (word == "node" && arguments == 1) {
      nodes_.declare(table_, row.line, row.fields[1]);
    } else if (word == "hyperedges" && arguments == 1) {
      edges_.declare_range(table_, row.line, row.fields[1]);
    } else if (word == "hyperedge" && (arguments == 1 || arguments == 2)) {
      const Index edge = edges_.declare(table_, row.line, row.fields[1]);
      if (arguments == 2) set_weight(row, edge, row.fields[2]);
    } else {
      table_.fail(row.line, fmt::format("unknown directive '#% {}' with {} arguments", word, arguments));
    }
  }

  void row(const TableRow& row) {
    const Index edge = edges_.row_id(table_, row, columns_.edge);
    edge_.push_back(edge);
    node_.push_back(nodes_.row_id(table_, row, columns_.node));
    role_.push_back(role(row, edge));
    if (const Field* const weight = field_of(row, columns_.weight)) set_weight(row, edge, *weight);
    if (const Field* const weight = field_of(row, columns_.incidence_weight))
      set_incidence_weight(row, *weight);
  }

  Hypergraph finish() {
    const TextIds::Numbering nodes = nodes_.numbering();
    const TextIds::Numbering edges = edges_.numbering();
    HypergraphExtras extras{{}, nodes.names, edges.names};
    if (!weight_.empty()) {
      extras.edge_weights.assign(edges.final_id.size(), 1.0);
      for (std::size_t e = 0; e < weight_.size(); ++e) {
        if (weight_[e] > 0) extras.edge_weights[edges.final_id[e]] = weight_[e];
      }
    }
    undirected_.resize(edges.final_id.size(), false);
    for (std::size_t i = 0; i < edge_.size(); ++i) {
      if (undirected_[edge_[i]]) role_[i] = Role::tail;
      node_[i] = nodes.final_id[node_[i]];
      edge_[i] = edges.final_id[edge_[i]];
    }
    try {
      if (!incidence_weight_.empty()) incidence_weight_.resize(edge_.size(), 1.0);
      return {nodes_.size(),
              edges_.size(),
              {edge_, node_, role_, incidence_weight_},
              options_.on_conflict,
              std::move(extras)};
    } catch (const InvalidInput& error) {
      table_.fail(error.what(), error.topic());
    }
  }

  std::int64_t without_role() const { return without_role_; }
  std::int64_t weighed() const { return weighed_; }

  /// Whether a first row of words, in a list without a header, is the only one of its hyperedge and of its node,
  /// while the list is long enough for ids to come again. Of the finished hypergraph.
  bool first_row_is_alone(const Hypergraph& h) const {
    constexpr std::size_t kLongEnough = 20;
    if (columns_.header || edge_.size() < kLongEnough) return false;
    const auto is_word = [](const Names& names, Index i) {
      return !names.implicit() && !names.is_integer(i);
    };
    return is_word(h.edge_names(), edge_[0]) && is_word(h.node_names(), node_[0]) && h.size(edge_[0]) == 1 &&
           h.degree(node_[0]) == 1;
  }
  Index first_edge() const { return edge_[0]; }
  Index first_node() const { return node_[0]; }

 private:
  Role role(const TableRow& row, Index edge) {
    if (columns_.role < 0) return Role::tail;
    if (const Field* const text = field_of(row, columns_.role)) {
      const auto role = parse_role(text->text);
      if (!role) table_.fail(row.line, fmt::format("'{}' is not a role; expected tail or head", text->text));
      return *role;
    }
    if (options_.missing_direction == MissingDirection::error) {
      table_.fail(
          row.line,
          fmt::format("a member of hyperedge {} has no role; expected tail or head", edges_.quoted(edge)),
          Topic{"missing-direction"});
    }
    ++without_role_;
    if (options_.missing_direction == MissingDirection::undirected) {
      undirected_.resize(edges_.size(), false);
      undirected_[edge] = true;
    }
    return Role::tail;
  }

  void set_weight(const TableRow& row, Index edge, const Field& field) {
    const double value = parse_weight(table_, row.line, field);
    weight_.resize(edges_.size(), 0.0);
    if (weight_[edge] > 0 && weight_[edge] != value) {
      table_.fail(row.line,
                  fmt::format("hyperedge {} has weight {} here and {} before; a weight is that of the "
                              "hyperedge, not of a member",
                              edges_.quoted(edge), value, weight_[edge]),
                  Topic{"member-weights"});
    }
    weight_[edge] = value;
  }

  /// Of the row that was added last.
  void set_incidence_weight(const TableRow& row, const Field& field) {
    const bool use = options_.incidence_weights == IncidenceWeights::use;
    const double value = use ? parse_weight(table_, row.line, field, Topic{"incidence-weights"}) : 0;
    if (value == 1.0) return;
    ++weighed_;
    if (!use) return;
    incidence_weight_.resize(edge_.size(), 1.0);
    incidence_weight_.back() = value;
  }

  const Table& table_;
  TextColumns columns_;
  const LoadOptions& options_;
  TextIds nodes_{"node"};
  TextIds edges_{"hyperedge"};
  std::vector<Index> edge_, node_;
  std::vector<Role> role_;
  std::vector<double> weight_;            // by hyperedge; 0 where none was given
  std::vector<double> incidence_weight_;  // of the first incidences; the others weigh 1
  std::vector<bool> undirected_;          // by hyperedge
  std::int64_t without_role_ = 0;
  std::int64_t weighed_ = 0;  // rows with a weight of the incidence that is not 1, or not looked at
};

Loaded read_hyperedge_table(Table& table, const TextColumns& columns, const LoadOptions& options) {
  HyperedgeListReader reader(table, columns, options);
  for_each_row(
      table, columns, [&](const TableRow& row) { reader.directive(row); },
      [&](const TableRow& row) { reader.row(row); });
  table.drop_rows();
  Loaded loaded;
  loaded.hypergraph = reader.finish();
  loaded.format = "hyperedge list, " + table.format();
  remark_on_weights(loaded, reader.weighed(), options.incidence_weights);
  if (reader.first_row_is_alone(loaded.hypergraph)) {
    loaded.warnings.push_back(fmt::format(
        "the first row ({}, {}) was read as data, though neither of its ids comes again; header=yes "
        "says that it names the columns",
        loaded.hypergraph.edge_names().quoted(reader.first_edge()),
        loaded.hypergraph.node_names().quoted(reader.first_node())));
  }
  if (reader.without_role() > 0) {
    loaded.warnings.push_back(fmt::format(
        "{} rows have no role and were read as {}", reader.without_role(),
        options.missing_direction == MissingDirection::tail ? "tails" : "members of undirected hyperedges"));
  }
  return loaded;
}

/// Readers accept "#% nodes N" up to here, so that a short file cannot ask for gigabytes.
constexpr Index kMostNamedRange = Index{1} << 24;

class HyperedgeListWriter {
 public:
  HyperedgeListWriter(const Hypergraph& hypergraph, ByteWriter& out, char delimiter)
      : hypergraph_(hypergraph), out_(out), delimiter_(delimiter) {
    for (Index e = 0; e < hypergraph.edge_count(); ++e)
      has_heads_ = has_heads_ || !hypergraph.head(e).empty();
  }

  void write() {
    out_.write("#% dshn hyperedge list 1\n");
    declare("node", hypergraph_.node_names(), hypergraph_.node_count(), false);
    declare("hyperedge", hypergraph_.edge_names(), hypergraph_.edge_count(), hypergraph_.weighted());
    std::string line = fmt::format("hyperedge{}node", delimiter_);
    if (has_heads_) line += fmt::format("{}role", delimiter_);
    if (hypergraph_.weighted()) line += fmt::format("{}weight", delimiter_);
    if (hypergraph_.has_incidence_weights()) line += fmt::format("{}incidence_weight", delimiter_);
    out_.write(line + '\n');
    for (Index e = 0; e < hypergraph_.edge_count(); ++e) rows(e);
  }

 private:
  static std::string field(const Name& name, char delimiter) {
    if (name.text.find('\0') != std::string::npos) {
      throw InvalidInput("a name has a zero byte, which a text file cannot hold; write HIF instead");
    }
    return csv_field(name.text, name.is_integer, delimiter);
  }

  void declare(const char* what, const Names& names, Index count, bool weighted) {
    const bool range = names.implicit() && count <= kMostNamedRange;
    if (range) out_.write(fmt::format("#% {}s {}\n", what, count));
    for (Index i = 0; i < count; ++i) {
      // The weight of an empty hyperedge has no row to stand in.
      const bool alone = weighted && hypergraph_.size(i) == 0;
      const std::string weight = alone ? fmt::format(" {}", hypergraph_.weight(i)) : "";
      if (range && weight.empty()) continue;
      out_.write(fmt::format("#% {} {}{}\n", what, field(names[i], ' '), weight));
    }
  }

  void rows(Index e) {
    const std::string edge = field(hypergraph_.edge_names()[e], delimiter_);
    const std::string weight =
        hypergraph_.weighted() ? fmt::format("{}{}", delimiter_, hypergraph_.weight(e)) : "";
    for (Offset i = hypergraph_.edge_ptr()[e]; i < hypergraph_.edge_ptr()[e + 1]; ++i) {
      const std::string node = field(hypergraph_.node_names()[hypergraph_.member_nodes()[i]], delimiter_);
      std::string role;
      if (has_heads_) role = delimiter_ + std::string(hypergraph_.role(e, i) == Role::tail ? "tail" : "head");
      std::string own;
      if (hypergraph_.has_incidence_weights())
        own = fmt::format("{}{}", delimiter_, hypergraph_.incidence_weight(i));
      out_.write(fmt::format("{}{}{}{}{}{}\n", edge, delimiter_, node, role, weight, own));
    }
  }

  const Hypergraph& hypergraph_;
  ByteWriter& out_;
  char delimiter_;
  bool has_heads_ = false;
};

}  // namespace

Loaded read_text(const std::filesystem::path& path, const LoadOptions& options) {
  Table table(path, options.progress, {options.text.delimiter, true});
  const bool reactions =
      options.text_kind == TextKind::reactions ||
      (options.text_kind == TextKind::automatic && begins_with_arrows(table, options.text));
  if (reactions) return read_reaction_table(table, options);
  std::vector<std::string> warnings;
  const TextColumns columns = recognise_columns(table, path, options, warnings);
  Loaded loaded = columns.arcs() ? read_arc_table(table, columns, options)
                                 : read_hyperedge_table(table, columns, options);
  loaded.warnings.insert(loaded.warnings.begin(), warnings.begin(), warnings.end());
  return loaded;
}

void write_hyperedge_list(const Hypergraph& hypergraph, const std::filesystem::path& path) {
  ByteWriter out(path);
  HyperedgeListWriter(hypergraph, out, extension_of(path) == ".csv" ? ',' : '\t').write();
  out.commit();
}

Format hyperedge_list_format() {
  return {.name = "hyperedge-list",
          .title = "hyperedge list",
          .extensions = {".tsv", ".csv", ".txt"},
          .compressible = true,
          .recognised_by = "any other text",
          .section = "text",
          .recognise = [](const Candidate& candidate) { return candidate.text(); },
          .read = read_text,
          .write =
              [](const Loaded& loaded, const std::filesystem::path& path) {
                write_hyperedge_list(loaded.hypergraph, path);
                std::vector<std::string> left_out;
                for (const auto& [name, array] : loaded.arrays) left_out.push_back(name);
                if (!loaded.metadata.empty()) left_out.emplace_back("metadata");
                return left_out;
              }};
}

}  // namespace dshn::io
