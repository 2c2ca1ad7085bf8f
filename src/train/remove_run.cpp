#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <regex>
#include <vector>

#include "dshn/base/error.hpp"
#include "dshn/io/file_system.hpp"
#include "dshn/io/run_files.hpp"
#include "dshn/parts/folder.hpp"
#include "dshn/train/run.hpp"
#include "train/unnamed_settings.hpp"

namespace dshn::train {
namespace {

namespace fs = std::filesystem;

/// The name of such a file, or of one that was left half-written by a kill.
bool is_one_of(const std::vector<const char*>& files, const std::string& name) {
  for (const char* file : files)
    if (name == file || (name.starts_with(fmt::format(".{}.", file)) && name.ends_with(".tmp"))) return true;
  return false;
}

bool is_of_run(const std::string& name) {
  return is_one_of({io::kConfigFile, io::kAutoFile, io::kInputsFile, io::kMetricsFile, io::kResultFile,
                    io::kPredictionsFile},
                   name);
}

bool is_of_split(const std::string& name) {
  return is_one_of({io::kModelFile, io::kStateFile, io::kMetricsFile}, name);
}

bool is_split_folder(const fs::directory_entry& entry) {
  static const std::regex pattern("split-[0-9]{2,}");
  return entry.is_directory() && std::regex_match(entry.path().filename().string(), pattern);
}

/// What is in the folder, files before the folders that they are in; UsageError where anything is not a run's.
std::vector<fs::path> contents(const fs::path& folder) {
  std::vector<fs::path> found;
  const auto take = [&](const fs::directory_entry& entry, bool known) {
    if (!known || entry.is_symlink())
      throw UsageError(fmt::format("{}: is no part of a run; nothing was removed", entry.path().string()),
                       Topic{"folder-taken"});
    found.push_back(entry.path());
  };
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const bool split = is_split_folder(entry);
    if (split)
      for (const fs::directory_entry& file : fs::directory_iterator(entry))
        take(file, file.is_regular_file() && is_of_split(file.path().filename().string()));
    take(entry, split || (entry.is_regular_file() && is_of_run(entry.path().filename().string())));
  }
  return found;
}

}  // namespace

void remove_run(const fs::path& folder) {
  if (!fs::exists(folder)) return;
  remove_unnamed_settings(folder);
  if (!fs::is_directory(folder) || (!fs::is_empty(folder) && !holds_run(folder)))
    throw UsageError(fmt::format("{}: holds no run", folder.string()), Topic{"folder-taken"});
  parts::remove(folder / io::kPartsFolder);
  std::vector<fs::path> paths = contents(folder);
  // The settings go last: what a kill leaves of the run can be removed by another call.
  std::ranges::stable_partition(paths,
                                [](const fs::path& path) { return path.filename() != io::kConfigFile; });
  for (const fs::path& path : paths) {
    // A folder only when it is empty.
    if (io::disk::remove(path.c_str()) != 0)
      throw Failure(fmt::format("{}: cannot be removed: {}", path.string(), std::strerror(errno)));
  }
}

}  // namespace dshn::train
