#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "dshn/data/fetch.hpp"

namespace dshn::data {

/// One file to bring: `part` grows until it has `bytes` bytes with this checksum.
struct Download {
  std::string address;
  std::filesystem::path part;
  std::int64_t bytes = 0;
  std::string sha256;
};

/// Whether this build can download (it was made with libcurl).
bool has_download();

/// Brings the file, resuming what `part` already holds, or throws Failure. After it, `part` is complete,
/// verified and flushed to the disk. A part with the wrong content is removed; a part that is only short is
/// kept. `here` is told the size of the part now and then, and returns false to give up.
void download(const Download& file, const FetchOptions& options,
              const std::function<bool(std::int64_t)>& here);

}  // namespace dshn::data
