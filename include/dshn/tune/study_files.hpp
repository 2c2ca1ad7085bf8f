#pragma once

#include <filesystem>
#include <string>

/// Names in a study folder.
namespace dshn::tune {

inline constexpr const char* kSummaryFile = "study.json";
inline constexpr const char* kServerFile = "server.txt";  // which study on a server has files here
inline constexpr const char* kWinnerFile = "best.toml";
inline constexpr const char* kTrialsFolder = "trials";  // runs in the making
inline constexpr const char* kFinalFolder = "final";    // the winner's run on more splits

/// All trials.
inline std::filesystem::path database_file(const std::filesystem::path& study) {
  return study / "study.sqlite";
}

inline std::filesystem::path trial_folder(const std::filesystem::path& study, int number) {
  const std::string digits = std::to_string(number);
  return study / kTrialsFolder / (std::string(digits.size() < 4 ? 4 - digits.size() : 0, '0') + digits);
}

/// Like a study of its own.
inline std::filesystem::path confirmation_folder(const std::filesystem::path& study) {
  return study / "confirm";
}

}  // namespace dshn::tune
