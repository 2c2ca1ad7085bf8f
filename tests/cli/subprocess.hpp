#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "support/temporary_folder.hpp"

namespace dshn::cli::test {

/// Whether the program is built with a sanitizer, which reserves more address space than any limit leaves.
constexpr bool kSanitized =
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    true;
#else
    false;
#endif

using Arguments = std::vector<std::string>;

struct Outcome {
  int status = -1;  // exit status, or -signal when the program was killed
  std::string out;
  std::string err;

  nlohmann::json json() const { return nlohmann::json::parse(out); }
  /// Whether standard error holds exactly one line.
  bool one_line() const;
};

/// How the program is run.
struct Setting {
  /// "NAME=value" sets a variable, "NAME" alone removes it.
  std::vector<std::string> environment = {};
  /// As root, permissions would not be tested: become nobody first.
  bool without_privileges = false;
  /// The leader of a new process group, so that it can be killed with all that it starts.
  bool own_group = false;
  /// File that is its standard input; empty: that of the tests.
  std::string input = {};
  /// Bytes of address space; 0 for no limit.
  std::uint64_t memory_limit = 0;
};

/// Status of a program that could not be started.
constexpr int kNotStarted = 127;

/// Runs dshn with standard output and standard error in files, no terminal.
Outcome dshn(const Arguments& arguments, const Setting& setting = {});

/// Hears what a program writes to its terminal, as it comes; the terminal's descriptor is for resize().
using Watcher = std::function<void(std::string_view more, int terminal)>;

/// Runs dshn on a terminal of its own of 100 columns; both streams come back together in `out`.
Outcome dshn_on_terminal(const Arguments& arguments, const Setting& setting = {},
                         const Watcher& watcher = {});

void resize(int terminal, int columns);

/// Starts dshn and does not wait; its output goes to the files stdout and stderr in the folder.
pid_t start_dshn(const Arguments& arguments, const Setting& setting, const std::filesystem::path& folder);

/// The exit status as in Outcome.
int wait_for(pid_t process);

/// The processes whose parent this is.
std::vector<pid_t> children_of(pid_t parent);

/// An empty folder that is gone when the test is over.
class Scratch {
 public:
  const std::filesystem::path& path() const { return folder_.path(); }
  /// Writes a file and returns its path.
  std::string file(const std::string& name, std::string_view content) const;
  std::string at(const std::string& name) const { return (folder_ / name).string(); }
  /// Names of everything inside, sorted, folders included.
  std::vector<std::string> contents() const;

 private:
  TemporaryFolder folder_;
};

std::string read_file(const std::filesystem::path& path);

}  // namespace dshn::cli::test
