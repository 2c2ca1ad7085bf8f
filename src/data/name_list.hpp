#pragma once

#include <string>
#include <vector>

namespace dshn::data {

/// The parts of "a,b,c"; one empty part of an empty text.
inline std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == ',')
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

}  // namespace dshn::data
