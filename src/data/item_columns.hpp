#pragma once

#include <optional>
#include <string>
#include <vector>

#include "data/array_checks.hpp"
#include "dshn/data/open.hpp"

namespace dshn::data {

/// Marks names that are no names: takes no column.
inline constexpr const char* kNoColumn = "none";

/// The tables about nodes, or about hyperedges, and which of their columns is what.
class ItemColumns {
 public:
  /// A column and the table that it stands in.
  struct Found {
    const io::ItemTable* table = nullptr;
    const io::TextColumn* column = nullptr;

    explicit operator bool() const { return column != nullptr; }
  };
  /// Columns of one table.
  struct FoundColumns {
    const io::ItemTable* table = nullptr;
    std::vector<const io::TextColumn*> columns = {};

    explicit operator bool() const { return table != nullptr; }
  };

  /// Reads the files that `sources` names. What is given must outlive this; `own` came with the hypergraph.
  ItemColumns(const io::ItemTable& own, const ItemSources& sources, const Items& items,
              const OpenOptions& options);

  /// What kind of targets the tables have: that which was asked for, else a model's, else classes.
  TargetKind target() const;
  /// The targets: from the file for them, else from another table; classes from one column. InvalidInput where that
  /// file does not say which column has them, or has none of the name that was asked for. Data that is read like a
  /// model's may lack these columns and the next two.
  FoundColumns targets() const;
  /// The column that says which part of a split an item is in, and the one that says when it was.
  Found split() const { return asked_for(options_.split_column, "split", "split"); }
  Found time() const { return asked_for(options_.time_column, "time", ""); }
  /// InvalidInput where one of these two was asked for by a name that no table has. Said of the items that are predicted:
  /// the tables of the others need no such column.
  void check_asked_for() const;

  /// The weights of hyperedges: a column of a file beside the hypergraph, unless it was asked for as a feature.
  Found weights() const;

  /// Whose columns become features, and which; null and none where there are none.
  const io::ItemTable* feature_table() const;
  std::vector<const io::TextColumn*> features() const;

  std::vector<const io::ItemTable*> tables() const;
  const Items& items() const { return items_; }

  /// One line each about the files.
  const std::vector<std::string>& notes() const { return notes_; }
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  std::optional<io::ItemTable> read(const std::string& file);
  FoundColumns targets_in_file() const;
  /// Several columns by a name with commas in it; none where one is missing.
  FoundColumns find_several(const std::string& names) const;
  FoundColumns find_targets(const std::string& name) const;
  Found asked_for(const std::string& name, const std::string& role, const std::string& usual) const;
  /// The name that `columns` gives to what a column is for; empty: none.
  std::string renamed(const std::string& role) const;
  Found find(const std::string& name) const;
  bool is_feature(const io::TextColumn& column) const;

  const io::ItemTable& own_;
  const ItemSources& sources_;
  const OpenOptions& options_;
  Items items_;
  std::vector<std::string> notes_;
  std::vector<std::string> warnings_;
  std::optional<io::ItemTable> label_file_;
  std::optional<io::ItemTable> feature_file_;
};

}  // namespace dshn::data
