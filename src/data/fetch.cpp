#include "dshn/data/fetch.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "data/download.hpp"
#include "data/sha256.hpp"
#include "data/sources.hpp"
#include "dshn/base/error.hpp"
#include "dshn/data/catalog.hpp"
#include "dshn/io/file_system.hpp"

namespace dshn::data {
namespace fs = std::filesystem;
namespace {

/// An open folder, held by one process at a time.
class LockedFolder {
 public:
  explicit LockedFolder(const fs::path& path) {
    descriptor_ = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor_ < 0) throw Failure(fmt::format("{}: {}", path.string(), std::strerror(errno)));
    if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
      ::close(descriptor_);
      throw Failure(fmt::format("{}: another process is fetching this data set", path.string()));
    }
  }
  ~LockedFolder() { ::close(descriptor_); }
  LockedFolder(const LockedFolder&) = delete;
  LockedFolder& operator=(const LockedFolder&) = delete;

  void flush() const { (void)io::disk::sync(descriptor_); }

 private:
  int descriptor_ = -1;
};

std::int64_t total_bytes(const Source& source) {
  std::int64_t total = 0;
  for (const SourceFile& file : source.files) total += file.bytes;
  return total;
}

bool verified(const fs::path& path, const SourceFile& file) {
  std::error_code error;
  const auto size = fs::file_size(path, error);
  return !error && static_cast<std::int64_t>(size) == file.bytes && sha256_of(path) == file.sha256;
}

const Entry& downloadable(std::string_view name) {
  const Entry* entry = find_entry(name);
  if (entry == nullptr) {
    const std::string nearest = nearest_name(name);
    throw UsageError(fmt::format("no built-in data set is named \"{}\"{}", name,
                                 nearest.empty() ? "" : fmt::format("; did you mean {}?", nearest)));
  }
  const Source& source = entry->source;
  switch (source.availability) {
    case Availability::download:
      return *entry;
    case Availability::manual:
      throw UsageError(
          fmt::format("{} cannot be fetched: {}; published at {}", name, source.remark, source.home));
    case Availability::unavailable:
      throw UsageError(fmt::format("{} is not publicly available: {}", name, source.remark));
    case Availability::generated:
      break;
  }
  throw UsageError(fmt::format("{} need not be fetched: it is generated when it is opened", name));
}

fs::path target_folder(const FetchOptions& options) {
  if (options.folder) return *options.folder;
  if (const auto cache = cache_folder()) return *cache;
  throw UsageError("no folder to fetch into: neither XDG_CACHE_HOME nor HOME is set");
}

/// A folder that already has the final name is used when it is what fetch would have made, and never touched.
void check_present(const fs::path& folder, const Entry& entry) {
  for (const SourceFile& file : entry.source.files) {
    if (verified(folder / file.file_name(), file)) continue;
    throw Failure(
        fmt::format("{}: is in the way: its {} is missing or not the published one; remove the folder and "
                    "fetch again",
                    folder.string(), file.file_name()));
  }
}

void bring_files(const Entry& entry, const fs::path& folder, const FetchOptions& options) {
  const std::int64_t total = total_bytes(entry.source);
  std::int64_t before = 0;
  for (const SourceFile& file : entry.source.files) {
    const fs::path final_path = folder / file.file_name();
    const auto here = [&](std::int64_t size) {
      return !options.progress || options.progress({file.file_name(), before + size, total});
    };
    if (!verified(final_path, file)) {
      const fs::path part = final_path.string() + ".part";
      download({address_of(file, options), part, file.bytes, std::string(file.sha256)}, options, here);
      io::move_to(part, final_path);
    }
    before += file.bytes;
  }
}

/// Nothing is kept of an attempt that brought nothing.
void remove_if_empty(const fs::path& folder) {
  std::error_code ignored;
  for (const auto& item : fs::directory_iterator(folder, ignored)) {
    if (item.is_regular_file(ignored) && item.file_size(ignored) == 0)
      (void)io::disk::remove(item.path().c_str());
  }
  if (fs::is_empty(folder, ignored)) (void)io::disk::remove(folder.c_str());
}

}  // namespace

std::string address_of(const SourceFile& file, const FetchOptions& options) {
  std::string base(kBaseAddress);
  const char* mirror = std::getenv("DSHN_DATA_MIRROR");
  if (mirror != nullptr && *mirror != '\0') base = mirror;
  if (options.mirror) base = *options.mirror;
  while (base.ends_with('/')) base.pop_back();
  return fmt::format("{}/{}/{}", base, file.folder, file.path);
}

bool has_fetch() {
  return has_download() && has_sha256();
}

fs::path fetch(std::string_view name, const FetchOptions& options) {
  const Entry& entry = downloadable(name);
  if (!has_fetch()) {
    throw Failure(
        "this build cannot fetch: it has no libcurl or no OpenSSL; install libcurl4-openssl-dev and "
        "libssl-dev and build again");
  }
  const fs::path folder = target_folder(options);
  fs::path final_folder = folder / entry.name;
  const fs::path staging = folder / fmt::format(".{}.fetch", entry.name);
  try {
    if (fs::exists(final_folder)) {
      check_present(final_folder, entry);
      return final_folder;
    }
    io::make_folders(staging);
    const LockedFolder lock(staging);
    try {
      bring_files(entry, staging, options);
    } catch (...) {
      remove_if_empty(staging);
      throw;
    }
    lock.flush();
    io::move_to(staging, final_folder);
  } catch (const fs::filesystem_error& error) {
    throw Failure(fmt::format("{}: {}", error.path1().string(), error.code().message()));
  }
  return final_folder;
}

}  // namespace dshn::data
