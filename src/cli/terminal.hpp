#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace dshn::cli {

/// What is told by colour. Nothing is told by colour alone.
enum class Paint : std::uint8_t { none, strong, faint, good, bad, caution, tail, head, both };

/// What stands at the other end of standard output or standard error.
struct Terminal {
  /// Someone is watching: cursor movement (a progress bar) makes sense.
  bool interactive = false;
  /// Colours are welcome: a terminal that has them, and NO_COLOR is not set (https://no-color.org).
  bool colour = false;
  int width = 80;

  static Terminal of(int file_descriptor);

  /// The text in that colour, or as it is where colours are not welcome.
  std::string paint(Paint how, std::string_view text) const;
};

}  // namespace dshn::cli
