#pragma once

#include <functional>
#include <string>

#include "cli/context.hpp"
#include "dshn/base/options.hpp"
#include "dshn/data/dataset.hpp"

namespace CLI {
class App;
}

namespace dshn::cli {

/// What every command that reads data understands: a flag for each of data::reading_options(), with dashes for
/// its underscores.
class LoaderFlags {
 public:
  void add_to(CLI::App& command);
  /// What the command line says, by the options' own names.
  const Assignments& given() const { return given_; }
  /// The data set, read as the flags say and with a progress bar.
  data::Dataset open(const std::string& what, const Context& context) const;

 private:
  Assignments given_;
};

/// The flag of a reading option: "--on-conflict" of on_conflict.
std::string reading_flag(const std::string& option);

/// The flags that say the same as the assignments, for a command that is to be typed: " --labels l.csv".
std::string reading_words(const Assignments& reading);

/// UsageError where data is to come from standard input, of which the workers of `what` cannot each have a copy.
void refuse_standard_input(const std::string& data, const Assignments& reading, const std::string& what);

/// Prints what was made of the data set's files, and what in them is doubtful.
void print_remarks(const data::Dataset& dataset, const Context& context);

}  // namespace dshn::cli
