#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "dshn/base/error.hpp"
#include "dshn/io/load.hpp"
#include "dshn/io/table.hpp"
#include "io/id_table.hpp"

namespace dshn::io {

/// Which column holds what; -1 where there is none.
struct TextColumns {
  int edge = -1, node = -1, role = -1;  // hyperedge lists
  int from = -1, to = -1;               // arc lists
  int weight = -1;                      // of the hyperedge or the arc
  int incidence_weight = -1;            // hyperedge lists
  std::size_t count = 0;                // the most that a row may have
  bool attributes = false;              // a Python dictionary follows, of any number of words
  bool header = false;

  bool arcs() const { return from >= 0; }
};

/// The columns that a header row names, or nothing when the row is no header. Those that say nothing are named
/// in a warning.
std::optional<TextColumns> columns_of_header(const std::vector<std::string>& names, const TextStyle& style,
                                             std::vector<std::string>& warnings);

std::optional<Role> parse_role(std::string_view text);

/// Decides what the rows are (see TextKind) and leaves the table rewound. What had to be assumed is added to
/// the warnings.
TextColumns recognise_columns(Table& table, const std::filesystem::path& path, const LoadOptions& options,
                              std::vector<std::string>& warnings);

/// The field in a column, or null where the row has none or an empty one.
const Field* field_of(const TableRow& row, int column);

/// Calls `directive` and `row` for what the table holds, in its order. The header is left out and the number
/// of columns checked.
void for_each_row(Table& table, const TextColumns& columns,
                  const std::function<void(const TableRow&)>& directive,
                  const std::function<void(const TableRow&)>& row);

/// The ids of one kind of item, with those that directives declare.
class TextIds {
 public:
  explicit TextIds(const char* what) : what_(what) {}

  /// The id in a row: an integer outside 0..2^31-1 must have been declared.
  Index row_id(const Table& table, const TableRow& row, int column);
  Index id(const Table& table, std::int64_t line, const Field& field) {
    return intern(table, line, field, false);
  }
  Index declare(const Table& table, std::int64_t line, const Field& field);
  /// Declares 0..count-1.
  void declare_range(const Table& table, std::int64_t line, const Field& field);

  Index size() const { return table_.size(); }
  std::string quoted(Index item) const { return table_.quoted(item); }

  /// Final numbers by provisional ones, and the names in final order.
  struct Numbering {
    std::vector<Index> final_id;
    Names names;
  };
  Numbering numbering() const;

 private:
  Index intern(const Table& table, std::int64_t line, const Field& field, bool declared);

  const char* what_;
  IdTable table_;
  std::vector<Index> listed_;
  bool has_range_ = false;
};

/// Whether the name says that a list without a header is one of arcs.
bool has_arc_extension(const std::filesystem::path& path);

/// Whether the first row has an arrow between blanks, as a -> b, or the one below a header of one column.
bool begins_with_arrows(const Table& table, const TextStyle& style);
/// Makes a hypergraph of rows [NAME:] tails -> heads.
Loaded read_reaction_table(Table& table, const LoadOptions& options);

/// Makes a hypergraph of the arcs in a table.
Loaded read_arc_table(Table& table, const TextColumns& columns, const LoadOptions& options);

/// The weight in a field: finite and above 0.
double parse_weight(const Table& table, std::int64_t line, const Field& field, Topic topic = {});

}  // namespace dshn::io
