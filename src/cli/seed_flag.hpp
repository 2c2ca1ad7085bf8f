#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

namespace dshn::cli {

/// A flag that takes a seed: digits of a number below 2^64. CLI11 would take -1 and 2^64 for some other seed.
CLI::Option* add_seed(CLI::App& command, const std::string& name, std::uint64_t& seed,
                      const std::string& help);

}  // namespace dshn::cli
