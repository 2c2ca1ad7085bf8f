#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

/// Run folders in, one HTML page out. Knows the files that `dshn train` leaves, not how they came about.
namespace dshn::report {

/// What predictions.csv says, one entry per item in the order of the data set.
struct Predictions {
  /// The word for each class; empty where they are numbered.
  std::vector<std::string> class_names;
  std::vector<std::string> id;
  std::vector<std::string> part;    // train, val, test, or empty
  std::vector<std::int32_t> label;  // -1: not known
  std::vector<std::int32_t> predicted;
  std::vector<float> confidence;  // probability of the predicted class
};

/// One finished run: result.json as the page wants it (figures, splits with their confusion or the figures of labels
/// or numbers, options, words of the classes) with the training curves beside; of numbers, also the true and the
/// predicted ones of the first split. UsageError when the folder is not there or holds no run,
/// InvalidInput when the run is not finished or a file is broken.
nlohmann::ordered_json read_run(const std::filesystem::path& folder);

/// InvalidInput, with the line, when the file is missing or broken.
Predictions read_predictions(const std::filesystem::path& folder);

}  // namespace dshn::report
