#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dshn::cli::test {

/// What a terminal shows that breaks lines anew when its width changes, as most do. It understands what the
/// program writes: text, ends of lines, erasing downwards, moving up, cutting or wrapping long lines; colours
/// are skipped.
class Screen {
 public:
  explicit Screen(int width) : width_(width) {}

  void write(std::string_view bytes);
  void resize(int width) { width_ = width; }

  /// All that is shown, rows ended by newlines, without empty ones at the end.
  std::string text() const;

 private:
  using Line = std::vector<std::string>;  // a glyph in each cell

  /// Takes the escape sequence at the front, if it is whole.
  bool take_escape(std::string_view& bytes);
  void put(std::string glyph);
  void move_down();
  void move_up();

  int width_;
  bool wraps_ = true;
  std::vector<Line> lines_{1};
  std::size_t line_ = 0;    // of the cursor
  std::size_t column_ = 0;  // in the line, however many rows that takes
  std::string unread_;      // the beginning of a sequence or glyph
};

/// Shows what a program writes to a terminal that becomes narrower as soon as it has shown `cue`.
class NarrowingScreen {
 public:
  NarrowingScreen(std::string cue, int columns) : cue_(std::move(cue)), columns_(columns) {}

  /// For dshn_on_terminal().
  void operator()(std::string_view more, int terminal);

  bool narrowed() const { return narrowed_; }
  std::string text() const { return screen_.text(); }

 private:
  Screen screen_{100};
  std::string cue_;
  int columns_;
  bool narrowed_ = false;
};

}  // namespace dshn::cli::test
