#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "dshn/hypergraph/name_index.hpp"
#include "dshn/io/progress.hpp"

namespace dshn::io {

enum class Header : std::uint8_t { automatic, yes, no };

/// How text tables are to be read where they do not say it themselves.
struct TextStyle {
  Header header = Header::automatic;
  char delimiter = '\0';  // '\0': whichever the first rows have
  /// The name that a column has in the file, by what it is for: {"node", "company"}.
  std::map<std::string, std::string> columns = {};

  bool operator==(const TextStyle&) const = default;
};

/// A column of a table as the file has it: words, numbers and gaps, all of them text.
class TextColumn {
 public:
  explicit TextColumn(std::string name) : name_(std::move(name)) {}

  const std::string& name() const { return name_; }
  std::int64_t size() const { return static_cast<std::int64_t>(ends_.size()); }
  std::string_view operator[](std::int64_t row) const {
    const std::size_t begin = row == 0 ? 0 : ends_[static_cast<std::size_t>(row) - 1];
    return std::string_view(text_).substr(begin, ends_[static_cast<std::size_t>(row)] - begin);
  }

  void add(std::string_view text) {
    text_ += text;
    ends_.push_back(text_.size());
  }
  /// Gaps up to the given number of rows.
  void pad(std::int64_t rows) { ends_.resize(static_cast<std::size_t>(rows), text_.size()); }

 private:
  std::string name_;
  std::string text_;
  std::vector<std::size_t> ends_;
};

/// What a file says about nodes, or about hyperedges: a row for an item, a column for a property. A missing
/// value is an empty text.
struct ItemTable {
  std::string file;                 // for messages
  const char* place_word = "line";  // what `places` counts
  std::vector<std::int64_t> places = {};
  /// The item of each row. Ids that the hypergraph lacks are numbered behind its own.
  std::vector<Index> items = {};
  std::vector<Name> strangers = {};
  std::string id_column = {};
  std::vector<TextColumn> columns = {};
  /// One line each, for the user: what was assumed about the file.
  std::vector<std::string> notes = {};

  std::int64_t rows() const { return static_cast<std::int64_t>(items.size()); }
  const TextColumn* find(std::string_view column) const;
  /// "FILE, line 7".
  std::string where(std::int64_t row) const;
  /// Throws InvalidInput.
  [[noreturn]] void fail(std::int64_t row, const std::string& message) const;
};

/// What a table of items is about.
struct ItemKind {
  const char* word;  // "node" or "hyperedge"
  const NameIndex* names;
};

/// Reads a text table about nodes or hyperedges, plain or compressed. One column has their ids: the one that
/// style.columns names for "id", else one that is called id, node, node_id, ... (hyperedge, edge, ...), else an
/// unnamed first column (as pandas writes an index), else the first one. Without a header the columns are
/// called 1, 2, 3, ...; whether there is one is decided by names that are known, by a first row of words above
/// numbers, and at last by whether its id is one of the hypergraph's.
///
/// The marks that programs leave for missing values (NA, NaN, null, None, ...; not in quotes) become gaps.
///
/// Throws InvalidInput: rows of different length, an id twice or not at all, text that is not UTF-8.
ItemTable read_item_table(const std::filesystem::path& path, const ItemKind& kind,
                          const TextStyle& style = {}, const Progress& progress = {});

/// The column of a table of hyperedges that has their weights.
inline constexpr const char* kWeightColumn = "weight";
/// What it says for the first `count` items, 1 where it says nothing. Throws InvalidInput, with the line, on what
/// is not a finite number above 0.
std::vector<double> weights_in(const ItemTable& table, const TextColumn& column, Index count);

/// Whether the text is a number as a table has it: not "inf", and no zeros in front, which codes have.
bool parse_cell(std::string_view text, double& value);

}  // namespace dshn::io
