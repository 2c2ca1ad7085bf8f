#include "cli/context.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <nlohmann/json.hpp>
#include <system_error>

#include "cli/text.hpp"
#include "dshn/base/error.hpp"

namespace dshn::cli {
namespace {

/// Zero, or the error number.
int write_all(int file_descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(file_descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

}  // namespace

void Context::print(std::string_view text) const {
  const int problem = write_all(STDOUT_FILENO, text);
  if (problem == 0 || problem == EPIPE) return;
  throw Failure("standard output cannot be written: " + std::generic_category().message(problem));
}

void Context::print_json(const nlohmann::ordered_json& document) const {
  using Handler = nlohmann::ordered_json::error_handler_t;
  print(document.dump(2, ' ', false, Handler::replace) + '\n');
}

void Context::note(std::string_view text) const {
  say(fmt::format("dshn: {}", printable(text)));
}

void Context::warn(std::string_view text) const {
  say(fmt::format("dshn: {} {}", err.paint(Paint::caution, "warning:"), printable(text)));
}

void Context::error(std::string_view text) const {
  if (errors_to != STDERR_FILENO)
    write_all(errors_to, printable(text));
  else
    say(fmt::format("{} {}", err.paint(Paint::bad, "dshn:"), printable(text)));
}

void Context::say(const std::string& line) const {
  // In the place of a status line, if there is one; that one comes back below.
  write_all(STDERR_FILENO, (err.interactive ? kEraseDown : "") + line + '\n');
}

}  // namespace dshn::cli
