#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "dshn/data/registry.hpp"

namespace dshn::data {

struct FetchProgress {
  std::string_view file;
  std::int64_t done = 0;  ///< bytes of all files of the set that are here, those of earlier attempts included
  std::int64_t total = 0;  ///< bytes of all files of the set
};

struct FetchOptions {
  /// Where to put the set, in a folder of its own name; empty: the user's cache folder.
  std::optional<std::filesystem::path> folder;
  /// Stands for the base address of the registry; empty: DSHN_DATA_MIRROR where it is set.
  std::optional<std::string> mirror;
  /// Called now and then from the calling thread; returning false gives up (what has arrived is kept).
  std::function<bool(const FetchProgress&)> progress;
  std::chrono::milliseconds connect_timeout{20'000};
  /// Gives up on a connection over which nothing arrives for so long.
  std::chrono::seconds stall_timeout{30};
  /// Attempts per file after the first, where trying again may help.
  int retries = 4;
  /// Before the first of them; doubles each time.
  std::chrono::milliseconds retry_delay{1'000};
};

/// Whether this build can fetch (it was made with libcurl and OpenSSL).
bool has_fetch();

/// Address of a file of the registry below the base address in use.
std::string address_of(const SourceFile& file, const FetchOptions& options = {});

/// Downloads a built-in data set so that open(name) finds it, and returns its folder.
///
/// The files arrive in a hidden folder beside the final one (`.NAME.fetch`, each as `FILE.part`), are flushed
/// to the disk and checked against the size and SHA-256 of the registry; then the hidden folder gets its
/// final name in one step. So the final name either does not exist or is complete. What an interrupted fetch
/// has brought is resumed by the next one, if the server allows it, else begun again. A set that is already
/// there is checked, not fetched.
///
/// UsageError: no such built-in set, or one that cannot be downloaded (the message says why and where it is).
/// Failure: no libcurl or OpenSSL in this build, network, disk, wrong content, another process fetching the
/// same.
std::filesystem::path fetch(std::string_view name, const FetchOptions& options = {});

}  // namespace dshn::data
