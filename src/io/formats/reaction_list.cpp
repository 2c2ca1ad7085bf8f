#include <fmt/format.h>

#include <map>

#include "dshn/base/error.hpp"
#include "dshn/io/format.hpp"
#include "io/text.hpp"
#include "io/text_columns.hpp"
#include "io/text_words.hpp"
#include "io/weight_remarks.hpp"

namespace dshn::io {
namespace {

bool is_arrow(std::string_view word) {
  return is_one_of(word, {"->", "-->", "=>", "→", "⇒"});
}

bool is_two_way_arrow(std::string_view word) {
  return is_one_of(word, {"<->", "<-->", "<=>", "↔", "⇌", "⇔"});
}

bool is_plus(const Field& field) {
  return !field.quoted && field.text == "+";
}

/// Whether a word may be the coefficient of the one behind it.
bool is_number(const Field& field) {
  return !field.quoted && !field.text.empty() &&
         field.text.find_first_not_of("0123456789.") == std::string::npos;
}

/// Collects the rows of a reaction list: [NAME:] tails -> heads. Where members are joined by plus signs a number in front
/// of one is its coefficient; elsewhere it is an id like any other.
class ReactionListReader {
 public:
  ReactionListReader(const Table& table, const LoadOptions& options) : table_(table), options_(options) {}

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

  Hypergraph finish() {
    const TextIds::Numbering nodes = nodes_.numbering();
    const TextIds::Numbering edges = edges_.numbering();
    for (Index& node : node_) node = nodes.final_id[node];
    if (named_ > 0) {
      for (Index& edge : edge_) edge = edges.final_id[edge];
    }
    if (!weight_.empty()) weight_.resize(edge_.size(), 1.0);
    try {
      return {nodes_.size(),
              static_cast<Index>(rows_),
              {edge_, node_, role_, weight_},
              options_.on_conflict,
              {{}, nodes.names, edges.names}};
    } catch (const InvalidInput& error) {
      table_.fail(error.what(), error.topic());
    }
  }

  std::int64_t weighed() const { return weighed_; }

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
    if (std::any_of(row.fields.begin(), row.fields.end(), is_plus)) begin_to_join(row);
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

  /// The first row with a plus sign. Rows before it have been read as ids.
  void begin_to_join(const TableRow& row) {
    if (!joined_ && numbers_line_ > 0)
      table_.fail(row.line,
                  fmt::format("members are joined by plus signs here, and line {} has a number in front of "
                              "an id without one; expected a row with a plus sign first, which makes such "
                              "numbers coefficients",
                              numbers_line_));
    joined_ = true;
  }

  void add_side(const TableRow& row, Role role) {
    const bool pluses = std::any_of(side_.begin(), side_.end(), is_plus);
    if (joined_ && (pluses || is_weighed(0))) {
      add_joined(row, role);
    } else {
      for (std::size_t i = 0; i < side_.size(); ++i) {
        if (is_weighed(i) && numbers_line_ == 0) numbers_line_ = row.line;
        add(row, role, side_[i]);
      }
    }
    side_.clear();
  }

  /// [COEFFICIENT] ID + [COEFFICIENT] ID ...
  void add_joined(const TableRow& row, Role role) {
    for (std::size_t i = 0; i < side_.size(); i += 2) {
      const Field* coefficient = is_weighed(i) ? &side_[i++] : nullptr;
      if (is_plus(side_[i]) || (i + 1 < side_.size() && !is_plus(side_[i + 1])))
        table_.fail(row.line,
                    "expected one id between two plus signs, with or without a coefficient, as in "
                    "2 a + b -> c");
      add(row, role, side_[i]);
      if (coefficient != nullptr) set_weight(row, *coefficient);
      if (i + 2 == side_.size()) table_.fail(row.line, "a plus sign without an id behind it");
    }
  }

  /// Whether the side's word is a number with an id behind it.
  bool is_weighed(std::size_t word) const {
    return word + 1 < side_.size() && is_number(side_[word]) && !is_plus(side_[word + 1]);
  }

  void add(const TableRow& row, Role role, const Field& id) {
    edge_.push_back(edge_id_);
    node_.push_back(nodes_.id(table_, row.line, id));
    role_.push_back(role);
  }

  /// Of the member that was added last.
  void set_weight(const TableRow& row, const Field& coefficient) {
    const bool use = options_.incidence_weights == IncidenceWeights::use;
    const double value = use ? parse_weight(table_, row.line, coefficient, Topic{"incidence-weights"}) : 0;
    if (value == 1.0) return;
    ++weighed_;
    if (!use) return;
    weight_.resize(edge_.size(), 1.0);
    weight_.back() = value;
  }

  const Table& table_;
  const LoadOptions& options_;
  TextIds nodes_{"node"};
  TextIds edges_{"hyperedge"};
  std::vector<Index> edge_, node_;
  std::vector<Role> role_;
  std::vector<double> weight_;     // of the first incidences, where any has one; the others weigh 1
  std::int64_t weighed_ = 0;       // members with a coefficient that is not 1, or not looked at
  bool joined_ = false;            // members are joined by plus signs
  std::int64_t numbers_line_ = 0;  // the first with a number in front of an id, while they were not
  std::vector<Field> side_;        // of the row that is being read
  Index edge_id_ = 0;
  std::size_t rows_ = 0;
  std::size_t named_ = 0;
  std::size_t first_of_row_ = 0;  // incidence
};

}  // namespace

namespace {

/// Whether a row has an arrow between blanks.
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

/// Whether the first row names the column: a single word above an arrow, unless the style says it.
bool has_header(const Table& table, const TextStyle& style) {
  if (style.header != Header::automatic) return style.header == Header::yes;
  std::string_view first = table.first_row();
  while (first.ends_with('\r') || first.ends_with(' ')) first.remove_suffix(1);
  return first.find_first_of(" \t,;|") == std::string_view::npos && !has_arrow(first) &&
         has_arrow(table.second_row());
}

}  // namespace

bool begins_with_arrows(const Table& table, const TextStyle& style) {
  return has_arrow(table.first_row()) || (has_header(table, style) && has_arrow(table.second_row()));
}

Loaded read_reaction_table(Table& table, const LoadOptions& options) {
  bool header = has_header(table, options.text);
  table.separate_by(' ');
  ReactionListReader reader(table, options);
  while (const TableRow* const row = table.next()) {
    if (row->directive) table.fail(row->line, "a list of reactions has no directives");
    if (header && table.first_row().find_first_of("\t,;|") != std::string_view::npos)
      table.fail(row->line, "a list of reactions has one column, tails -> heads");
    if (!header) reader.row(*row);
    header = false;
  }
  table.drop_rows();
  Loaded loaded;
  loaded.hypergraph = reader.finish();
  loaded.format = "reaction list, text";
  remark_on_weights(loaded, reader.weighed(), options.incidence_weights);
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
