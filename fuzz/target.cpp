#include "fuzz/target.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "dshn/base/error.hpp"
#include "support/temporary_folder.hpp"

namespace dshn::fuzz {
namespace {

/// What a message shows of a file may not end its line.
bool is_one_line(std::string_view message) {
  return !message.empty() && message.find('\n') == std::string_view::npos;
}

}  // namespace

bool accepts(const Target& target, std::string_view bytes) {
  try {
    target.read(bytes);
    return true;
  } catch (const InvalidInput& refusal) {
    require(is_one_line(refusal.what()), "a refusal is one line");
    return false;
  }
}

void require(bool holds, const char* what) {
  if (!holds) throw std::logic_error(what);
}

const std::filesystem::path& scratch() {
  static const TemporaryFolder folder;
  return folder.path();
}

std::filesystem::path file_with(std::string_view bytes, const std::string& name) {
  std::filesystem::path path = scratch() / name;
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  const ssize_t written = file < 0 ? -1 : ::write(file, bytes.data(), bytes.size());
  if (file >= 0) ::close(file);
  if (written != static_cast<ssize_t>(bytes.size()))
    throw std::runtime_error("cannot write " + path.string());
  return path;
}

std::string content_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::pair<std::string, std::string> two_files(std::string_view bytes) {
  const std::size_t end = std::min(bytes.find('\0'), bytes.size());
  return {std::string(bytes.substr(0, end)), std::string(bytes.substr(std::min(end + 1, bytes.size())))};
}

std::string joined(std::string first, const std::string& second) {
  return std::move(first) + '\0' + second;
}

}  // namespace dshn::fuzz
