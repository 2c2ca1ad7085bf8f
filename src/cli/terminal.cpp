#include "cli/terminal.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace dshn::cli {
namespace {

constexpr int kNarrowest = 40;

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : std::string_view();
}

int window_width(int file_descriptor) {
  winsize size{};
  if (ioctl(file_descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  const int columns = std::atoi(std::string(environment("COLUMNS")).c_str());
  return columns > 0 ? columns : 80;
}

const char* escape_code(Paint how) {
  switch (how) {
    case Paint::strong:
      return "1";
    case Paint::faint:
      return "2";
    case Paint::good:
      return "32";
    case Paint::bad:
      return "31";
    case Paint::caution:
      return "33";
    case Paint::tail:
      return "34";
    case Paint::head:
      return "33";
    case Paint::both:
      return "35";
    case Paint::none:
      break;
  }
  return "0";
}

}  // namespace

Terminal Terminal::of(int file_descriptor) {
  Terminal terminal;
  const std::string_view kind = environment("TERM");
  const bool dumb = kind.empty() || kind == "dumb";
  terminal.interactive = isatty(file_descriptor) == 1 && !dumb;
  terminal.colour = terminal.interactive && environment("NO_COLOR").empty();
  terminal.width = std::max(window_width(file_descriptor), kNarrowest);
  return terminal;
}

std::string Terminal::paint(Paint how, std::string_view text) const {
  if (!colour || how == Paint::none) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", escape_code(how), text);
}

}  // namespace dshn::cli
