#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dshn/data/registry.hpp"

namespace dshn::data {

/// $XDG_CACHE_HOME/dshn, else ~/.cache/dshn; empty when neither variable is set.
std::optional<std::filesystem::path> cache_folder();

/// Where data sets are looked for, in this order: DSHN_DATA_DIR, then the user's cache folder.
std::vector<std::filesystem::path> data_folders();

/// The folder of a data set by name: the first of data_folders() that holds one. Empty when none does.
std::optional<std::filesystem::path> locate(std::string_view name);

/// Whether a data set of this name can be opened: it is in one of data_folders(), or can be generated. Nothing is
/// read.
bool is_here(std::string_view name);

/// Whether a data set's folder holds the public files that fetch() brings, rather than a HIF file.
bool is_download(const std::filesystem::path& folder, const Entry& entry);

/// The path to hand to the loader: the folder itself, or the raw file inside it where it was downloaded.
std::filesystem::path loadable(const std::filesystem::path& folder, const Entry& entry);

/// One line: that the data set is not here, where it was looked for if that is wanted, and how it can be had.
std::string missing_message(const Entry& entry, bool name_folders);

}  // namespace dshn::data
