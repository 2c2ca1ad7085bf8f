#include <fcntl.h>
#include <fmt/format.h>
#include <stdio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

#include "cli/interrupt.hpp"
#include "cli/save.hpp"
#include "dshn/base/error.hpp"
#include "dshn/io/hif.hpp"
#include "dshn/io/npz.hpp"

namespace dshn::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kHypergraphFile = "hypergraph.hif.json.gz";
constexpr const char* kArraysFile = "nodes.npz";
constexpr std::array kOwnFiles{"hypergraph.hif.json", "hypergraph.hif.json.gz", "hypergraph.hif.json.zst",
                               "nodes.npz"};

[[noreturn]] void fail(const fs::path& path, const char* what, const std::error_code& reason) {
  throw Failure(fmt::format("{}: {}: {}", path.string(), what, reason.message()));
}

/// A hidden folder that is gone again, with all that is in it, unless it was given its final name.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(const fs::path& target)
      : path_(target.parent_path() / fmt::format(".{}.{}.tmp", target.filename().string(), getpid())),
        removed_on_interrupt_(path_) {
    std::error_code problem;
    fs::create_directories(path_, problem);
    if (problem) fail(target, "cannot create the folder", problem);
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const fs::path& path() const { return path_; }

  /// In one step; what stood under the final name before ends up here, and goes the way of this folder.
  void take_the_place_of(const fs::path& target) const {
    const unsigned how = fs::exists(target) ? RENAME_EXCHANGE : 0;
    if (renameat2(AT_FDCWD, path_.c_str(), AT_FDCWD, target.c_str(), how) == 0) return;
    if (errno == EINVAL && how == RENAME_EXCHANGE) {
      throw Failure(fmt::format("{}: this file system cannot replace a folder in one step; remove it first",
                                target.string()));
    }
    fail(target, "cannot rename the finished folder", {errno, std::generic_category()});
  }

 private:
  fs::path path_;
  RemovedOnInterrupt removed_on_interrupt_;
};

}  // namespace

bool is_plain_data_folder(const fs::path& folder) {
  const auto entries = fs::directory_iterator(folder);
  return std::all_of(fs::begin(entries), fs::end(entries), [](const fs::directory_entry& entry) {
    return std::find(kOwnFiles.begin(), kOwnFiles.end(), entry.path().filename()) != kOwnFiles.end();
  });
}

void save_folder(const io::Loaded& loaded, const fs::path& folder, bool force) {
  // "name/" has an empty file name; the folder is meant.
  const fs::path target = folder.has_filename() ? folder : folder.parent_path();
  const TemporaryFolder temporary(fs::absolute(target));
  io::HifWriteOptions options;
  options.metadata = loaded.metadata;
  io::write_hif(loaded.hypergraph, temporary.path() / kHypergraphFile, options);
  if (!loaded.arrays.empty()) io::write_npz(temporary.path() / kArraysFile, loaded.arrays);
  check_target(folder.string(), force);  // someone may have put something there in the meantime
  temporary.take_the_place_of(target);
}

}  // namespace dshn::cli
