#include <fmt/format.h>

#include <map>

#include "dshn/base/error.hpp"
#include "dshn/io/format.hpp"
#include "io/text.hpp"
#include "io/text_columns.hpp"
#include "io/text_words.hpp"

namespace dshn::io {
namespace {

bool is_arrow(std::string_view word) {
  return is_one_of(word, {"->", "-->", "=>", "→", "⇒"});
}

bool is_two_way_arrow(std::string_view word) {
  return is_one_of(word, {"<->", "<-->", "<=>", "↔", "⇌", "⇔"});
}

/// Collects the rows of a reaction list: [NAME:] tails -> heads.
class ReactionListReader {
 public:
  explicit ReactionListReader(const Table& table) : table_(table) {}

  void row(const TableRow& row) {
    std::size_t begin = 0;
    if (!row.fields.empty() && !row.fields[0].quoted && row.fields[0].text.size() > 1 &&
        row.fields[0].text.ends_with(':')) {
      begin = 1;
    }
    named_ += begin;
    ++rows_;
    if (named_ != 0 && named_ != rows_)
      table_.fail(row.line, "expected a name and a colon in front of every reaction, or of none");
    edge_id_ = begin == 1 ? new_edge(row) : static_cast<Index>(rows_ - 1);
    split_at_arrow(row, begin);
  }

  Hypergraph finish(const LoadOptions& options) {
    const TextIds::Numbering nodes = nodes_.numbering();
    const TextIds::Numbering edges = edges_.numbering();
    for (Index& node : node_) node = nodes.final_id[node];
    if (named_ > 0) {
      for (Index& edge : edge_) edge = edges.final_id[edge];
    }
    try {
      return {nodes_.size(),
              static_cast<Index>(rows_),
              {edge_, node_, role_},
              options.on_conflict,
              {{}, nodes.names, edges.names}};
    } catch (const InvalidInput& error) {
      table_.fail(error.what(), error.topic());
    }
  }

 private:
  Index new_edge(const TableRow& row) {
    const Field& field = row.fields[0];
    const Index before = edges_.size();
    const Index edge = edges_.id(table_, row.line, {field.text.substr(0, field.text.size() - 1), false});
    if (edge < before)
      table_.fail(row.line, fmt::format("hyperedge {} is there already", edges_.quoted(edge)));
    return edge;
  }

  void split_at_arrow(const TableRow& row, std::size_t begin) {
    Role role = Role::tail;
    for (std::size_t i = begin; i < row.fields.size(); ++i) {
      const Field& field = row.fields[i];
      if (!field.quoted && is_two_way_arrow(field.text))
        table_.fail(row.line,
                    fmt::format("'{}' goes both ways; expected -> , and a row for either way", field.text));
      if (!field.quoted && is_arrow(field.text)) {
        if (role == Role::head) table_.fail(row.line, "a second arrow; expected one in a row");
        add_side(row, role);
        role = Role::head;
      } else {
        take(field);
      }
    }
    if (role == Role::tail)
      table_.fail(row.line, "no arrow; expected tails -> heads, with blanks around the arrow");
    const std::size_t before = node_.size();
    add_side(row, role);
    if (before == node_.size() && first_of_row_ == before)
      table_.fail(row.line, "a reaction without members");
    first_of_row_ = node_.size();
  }

  /// Members of a side are separated by blanks, by commas or by plus signs.
  void take(const Field& field) {
    if (field.quoted || field.text == "+") {
      side_.push_back(field);
      return;
    }
    std::string_view rest = field.text;
    while (!rest.empty()) {
      const std::size_t comma = std::min(rest.find(','), rest.size());
      if (comma > 0) side_.push_back({rest.substr(0, comma), false});
      rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
  }

  void add_side(const TableRow& row, Role role) {
    const auto is_plus = [](const Field& field) { return !field.quoted && field.text == "+"; };
    const bool pluses = std::ranges::any_of(side_, is_plus);
    for (std::size_t i = 0; i < side_.size(); ++i) {
      if (pluses && (i % 2 == 1) != is_plus(side_[i]))
        table_.fail(row.line,
                    "expected one id between two plus signs, as in a + b -> c, without coefficients");
      if (is_plus(side_[i])) continue;
      edge_.push_back(edge_id_);
      node_.push_back(nodes_.id(table_, row.line, side_[i]));
      role_.push_back(role);
    }
    if (pluses && side_.size() % 2 == 0) table_.fail(row.line, "a plus sign without an id behind it");
    side_.clear();
  }

  const Table& table_;
  TextIds nodes_{"node"};
  TextIds edges_{"hyperedge"};
  std::vector<Index> edge_, node_;
  std::vector<Role> role_;
  std::vector<Field> side_;  // of the row that is being read
  Index edge_id_ = 0;
  std::size_t rows_ = 0;
  std::size_t named_ = 0;
  std::size_t first_of_row_ = 0;  // incidence
};

}  // namespace

bool has_arrow(std::string_view row) {
  bool found = false;
  while (!row.empty() && !found) {
    const std::size_t begin = std::min(row.find_first_not_of(" \t\r"), row.size());
    const std::size_t end = std::min(row.find_first_of(" \t\r", begin), row.size());
    const std::string_view word = row.substr(begin, end - begin);
    found = is_arrow(word) || is_two_way_arrow(word);
    row.remove_prefix(end);
  }
  return found;
}

Loaded read_reaction_table(Table& table, const LoadOptions& options) {
  table.separate_by(' ');
  ReactionListReader reader(table);
  while (const TableRow* const row = table.next()) {
    if (row->directive) table.fail(row->line, "a list of reactions has no directives");
    reader.row(*row);
  }
  Loaded loaded;
  loaded.hypergraph = reader.finish(options);
  loaded.format = "reaction list, text";
  return loaded;
}

Format reaction_list_format() {
  return {.name = "reaction-list",
          .title = "reaction list",
          .extensions = {".reactions"},
          .compressible = true,
          .recognised_by = "text; an arrow in the first row",
          .section = "text",
          .recognise =
              [](const Candidate& candidate) {
                return candidate.text() && has_arrow(first_row_of(candidate.start));
              },
          .read = read_text};
}

}  // namespace dshn::io
