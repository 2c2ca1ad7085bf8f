#pragma once

#include <exception>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/learning/run_details.hpp"

namespace dshn::cli {

/// What the page of `dshn report` is made of. A part that is broken or unfinished is named on the page instead
/// of shown; what was asked for wrongly is a UsageError.
class ReportDocument {
 public:
  /// Runs after the first so many have no details. `explained`: names of items whose predictions are explained.
  ReportDocument(std::size_t most_details, const std::vector<std::string>& explained)
      : most_details_(most_details), details_(explained) {}

  /// The folder of a run or of a study.
  void add_folder(const std::filesystem::path& folder);
  /// A table of `dshn reproduce`.
  void add_table(const std::filesystem::path& file);

  /// What was said for the first broken part, where no part is whole.
  nlohmann::ordered_json finish(const std::string& title) const;
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  void add(const std::filesystem::path& path, const std::function<void()>& read);
  void add_run(const std::filesystem::path& folder);
  void warn_of_missing(const nlohmann::ordered_json& run);

  std::size_t most_details_;
  RunDetails details_;
  nlohmann::ordered_json runs_ = nlohmann::ordered_json::array();
  nlohmann::ordered_json studies_ = nlohmann::ordered_json::array();
  nlohmann::ordered_json tables_ = nlohmann::ordered_json::array();
  nlohmann::ordered_json problems_ = nlohmann::ordered_json::array();
  std::exception_ptr first_problem_;
  std::vector<std::string> warnings_;
};

}  // namespace dshn::cli
