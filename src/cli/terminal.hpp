#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace dshn::cli {

/// What is told by colour. Nothing is told by colour alone.
enum class Paint : std::uint8_t { none, strong, faint, good, bad, caution, tail, head, both };

/// Takes away what stands from the beginning of the cursor's line down. What is redrawn in place leaves the
/// cursor at its beginning: a terminal that is made narrower breaks lines in two, and the cursor stays with
/// the first part.
inline constexpr const char* kEraseDown = "\r\x1b[J";
/// Around what must not run over into a next line, whatever the width has become meanwhile.
inline constexpr const char* kCutLines = "\x1b[?7l";
inline constexpr const char* kWrapLines = "\x1b[?7h";

/// What stands at the other end of standard output or standard error. One without a descriptor shows nothing.
struct Terminal {
  /// Someone is watching: cursor movement (a progress bar) makes sense.
  bool interactive = false;
  /// Colours are welcome: a terminal that has them, and NO_COLOR is not set (https://no-color.org).
  bool colour = false;
  int width = 80;
  int height = 24;
  int descriptor = -1;

  static Terminal of(int file_descriptor);
  /// The same with the size that its window has now.
  Terminal now() const;

  /// The text in that colour, or as it is where colours are not welcome.
  std::string paint(Paint how, std::string_view text) const;

  /// For what is shown while work goes on: where it cannot be shown, that is no reason to fail.
  void show(std::string_view text) const;
};

}  // namespace dshn::cli
