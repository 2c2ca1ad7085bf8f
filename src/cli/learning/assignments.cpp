#include "cli/learning/assignments.hpp"

#include <fmt/format.h>

#include "dshn/base/error.hpp"

namespace dshn::cli {

Assignments parse_assignments(const std::string& flag, const std::vector<std::string>& words) {
  Assignments result;
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw UsageError(fmt::format("{} {}: expected name=value", flag, word));
    }
    result[word.substr(0, equals)] = word.substr(equals + 1);
  }
  return result;
}

}  // namespace dshn::cli
