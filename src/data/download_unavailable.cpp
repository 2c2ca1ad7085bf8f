// Stands in for download.cpp in a build without libcurl.
#include <fmt/format.h>

#include "data/download.hpp"
#include "dshn/base/error.hpp"

namespace dshn::data {

bool has_download() {
  return false;
}

void download(const Download& file, const FetchOptions&, const std::function<bool(std::int64_t)>&) {
  throw Failure(fmt::format("{}: cannot be downloaded: this build has no libcurl", file.address));
}

}  // namespace dshn::data
