#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "cli/context.hpp"
#include "dshn/base/error.hpp"
#include "dshn/train/settings.hpp"

namespace dshn::cli {

/// A run's settings, and the data set that its models are to be used on.
struct RunData {
  train::Settings settings;
  std::shared_ptr<const data::Dataset> dataset;
};

/// What f gives of a run folder and of what it names: a wrong request that stands in a file is a fault of that file.
template <typename F>
auto of_run(const std::filesystem::path& run, F&& f) {
  try {
    return f();
  } catch (const UsageError& error) {
    throw InvalidInput(run.string() + ": " + error.what(), error.topic());
  }
}

/// With the run's own data set, which must not have changed; or with the one that `other` names, whose words and
/// columns take the places that they had in training. `reading` says how it is read, where that differs.
RunData open_run_data(const std::filesystem::path& run, const std::string& other, const Assignments& reading,
                      const Context& context);

}  // namespace dshn::cli
