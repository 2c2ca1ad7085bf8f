#include "cli/kept_errors.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>

#include "cli/interrupt.hpp"
#include "dshn/base/error.hpp"

namespace dshn::cli {
namespace {

constexpr const char* kVariable = "DSHN_ERRORS_TO";

}  // namespace

KeptError::KeptError() : file_(memfd_create("dshn-error", 0)) {
  if (file_ < 0) throw Failure(std::string("cannot start a process: ") + std::strerror(errno));
  setenv(kVariable, std::to_string(file_).c_str(), /*overwrite=*/1);
}

KeptError::~KeptError() {
  unsetenv(kVariable);
  close(file_);
}

std::string KeptError::line() const {
  std::string text;
  std::array<char, 4096> buffer{};
  for (ssize_t got = 1; got > 0; text.append(buffer.data(), static_cast<std::size_t>(got))) {
    got = pread(file_, buffer.data(), buffer.size(), static_cast<off_t>(text.size()));
    if (got < 0) break;
  }
  return text;
}

std::optional<int> kept_errors() {
  const char* const text = std::getenv(kVariable);
  if (text == nullptr || !is_worker()) return std::nullopt;
  int file = 0;
  const char* const end = text + std::strlen(text);
  if (std::from_chars(text, end, file).ptr != end || file <= STDERR_FILENO) return std::nullopt;
  return file;
}

}  // namespace dshn::cli
