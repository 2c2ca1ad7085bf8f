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

int number_in(const char* variable, int otherwise) {
  const int value = std::atoi(std::string(environment(variable)).c_str());
  return value > 0 ? value : otherwise;
}

void measure(Terminal& terminal) {
  winsize size{};
  const bool known = ioctl(terminal.descriptor, TIOCGWINSZ, &size) == 0;
  terminal.width = std::max(known && size.ws_col > 0 ? size.ws_col : number_in("COLUMNS", 80), kNarrowest);
  terminal.height = known && size.ws_row > 0 ? size.ws_row : number_in("LINES", 24);
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
  terminal.descriptor = file_descriptor;
  measure(terminal);
  return terminal;
}

Terminal Terminal::now() const {
  Terminal terminal = *this;
  if (interactive && descriptor >= 0) measure(terminal);
  return terminal;
}

void Terminal::show(std::string_view text) const {
  if (descriptor < 0) return;
  [[maybe_unused]] const ssize_t written = write(descriptor, text.data(), text.size());
}

std::string Terminal::paint(Paint how, std::string_view text) const {
  if (!colour || how == Paint::none) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", escape_code(how), text);
}

}  // namespace dshn::cli
