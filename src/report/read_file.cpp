#include "report/read_file.hpp"

#include <fmt/format.h>

#include <fstream>
#include <iterator>

#include "dshn/base/error.hpp"

namespace dshn::report {

std::string read_whole(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file.is_open() || file.bad()) throw InvalidInput(fmt::format("{}: cannot be read", path.string()));
  return text;
}

}  // namespace dshn::report
