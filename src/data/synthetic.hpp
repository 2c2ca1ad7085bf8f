#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "dshn/data/dataset.hpp"

namespace dshn::data {

/// `synthetic-generated-io10` for `synthetic-io10`, and so on; empty for all other names.
std::optional<std::string> generated_name(std::string_view name);

/// Draws the paper's synthetic benchmark; the name is one of `synthetic-generated-io10`, `-io30`, `-io50`.
Dataset generate_synthetic(const std::string& name, std::uint64_t seed);

}  // namespace dshn::data
