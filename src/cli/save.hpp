#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "dshn/io/load.hpp"

namespace dshn::cli {

/// What the name of an output asks for.
enum class Target : std::uint8_t { hif, incidence_list, folder };

/// By the extension: .json is HIF, .tsv, .csv and .txt are lists of incidences, each also with .gz or .zst
/// behind; no extension, or a slash at the end, is a data set folder. Else UsageError.
Target target_of(const std::string& path);

/// Refuses, as a UsageError, to overwrite anything without being forced to, and to replace a folder that
/// holds other things than a data set under any circumstances. To be called before the work begins.
void check_target(const std::string& path, bool force);

/// Writes what was loaded, complete or not at all, and returns a line for everything that the format cannot
/// hold.
std::vector<std::string> save(const io::Loaded& loaded, const std::string& path, bool force);

/// Writes a data set folder under a hidden name beside the final one, then renames it in one step.
void save_folder(const io::Loaded& loaded, const std::filesystem::path& folder, bool force);

/// Whether everything in the folder is one of the files that save_folder writes.
bool is_plain_data_folder(const std::filesystem::path& folder);

}  // namespace dshn::cli
