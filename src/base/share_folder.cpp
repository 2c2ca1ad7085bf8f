#include "dshn/base/share_folder.hpp"

#include <cstdlib>

namespace dshn {

std::filesystem::path share_folder() {
  if (const char* given = std::getenv("DSHN_SHARE_DIR"); given != nullptr && *given != '\0') return given;
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  return program.parent_path().parent_path() / "share" / "dshn";
}

}  // namespace dshn
