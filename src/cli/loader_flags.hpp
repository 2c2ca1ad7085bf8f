#pragma once

#include <string>

#include "cli/context.hpp"
#include "dshn/data/dataset.hpp"
#include "dshn/io/load.hpp"

namespace CLI {
class App;
}

namespace dshn::cli {

/// What every command that reads data understands: --on-conflict, --missing-direction and --tail-column.
class LoaderFlags {
 public:
  void add_to(CLI::App& command);
  io::LoadOptions options() const;
  /// The data set, read as the flags say and with a progress bar.
  data::Dataset open(const std::string& what, const Context& context) const;

 private:
  std::string on_conflict_ = "error";
  std::string missing_direction_ = "error";
  int tail_column_ = 0;
};

}  // namespace dshn::cli
