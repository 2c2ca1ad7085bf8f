#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "dshn/io/table.hpp"
#include "io/byte_stream.hpp"

namespace dshn::io {

/// The text of a table without what says nothing: comments and empty lines are dropped while they are read, so that
/// memory grows with the rows and not with the file. Lines inside of quotes are kept.
class RowText {
 public:
  /// InvalidInput for an empty or a binary file; Failure where its rows need more memory than there is.
  RowText(ByteReader& bytes, bool comments, const Progress& progress);

  std::string take_text() { return std::move(text_); }
  /// Ascending.
  std::vector<LineGap> take_gaps() { return std::move(gaps_); }

 private:
  void take(std::size_t fresh);
  bool says_nothing(std::size_t begin, std::size_t end) const;
  bool is_comment(std::size_t begin, std::size_t end) const;

  bool comments_;
  std::string text_;
  std::vector<LineGap> gaps_;
  std::size_t begin_ = 0;  // of the line under way
  bool quoted_ = false;    // it begins inside of quotes
};

}  // namespace dshn::io
