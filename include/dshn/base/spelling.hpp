#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dshn {

/// The choice that a mistyped word most likely meant, by edit distance; nothing when none is close.
std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& choices);

/// All choices that are close, the nearest first, at most `most`.
std::vector<std::string> nearest_few(std::string_view word, const std::vector<std::string>& choices,
                                     std::size_t most);

}  // namespace dshn
