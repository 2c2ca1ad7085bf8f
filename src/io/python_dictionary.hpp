#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace dshn::io {

/// The entries of a Python dictionary with words as keys, as networkx writes attributes behind an arc:
/// {'weight': 3.5, 'kind': 'x y'}. Values are their source text. Nothing where the text is not one.
std::optional<std::map<std::string, std::string>> parse_python_dictionary(std::string_view text);

/// The digits of a number in Python: of 3.5 itself, but also of np.float64(3.5), as NumPy 2 writes it.
std::string_view python_number_text(std::string_view text);

}  // namespace dshn::io
