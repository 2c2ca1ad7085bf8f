#include "cli/save.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "dshn/base/error.hpp"
#include "dshn/data/open.hpp"

namespace dshn::cli {

void check_target(const std::string& path, bool force) {
  io::check_target(path);
  std::error_code ignored;
  if (!force && std::filesystem::exists(path, ignored)) {
    throw UsageError(fmt::format("{}: exists already; --force overwrites it", path));
  }
}

std::vector<std::string> save(const io::Loaded& loaded, const std::string& path, bool force) {
  check_target(path, force);
  return data::save_arrays(loaded, path);
}

}  // namespace dshn::cli
