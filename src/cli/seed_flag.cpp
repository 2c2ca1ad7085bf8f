#include "cli/seed_flag.hpp"

#include <fmt/format.h>

#include "dshn/io/table.hpp"

namespace dshn::cli {

CLI::Option* add_seed(CLI::App& command, const std::string& name, std::uint64_t& seed,
                      const std::string& help) {
  const auto fault = [](const std::string& text) {
    std::uint64_t value = 0;
    if (io::parse_number(text, value)) return std::string();
    return fmt::format("'{}' is no seed; expected a whole number from 0 to 2^64 - 1", text);
  };
  return command.add_option(name, seed, help)->check(CLI::Validator(fault, ""))->capture_default_str();
}

}  // namespace dshn::cli
