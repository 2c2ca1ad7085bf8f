#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Every reader of bytes that may be hostile, as something that can be fuzzed: one file in targets/ for each.
namespace dshn::fuzz {

struct Target {
  const char* name;
  /// Files that our own writers make, or that stand for those of other programs: each is read.
  std::vector<std::string> (*valid)();
  /// Made by hand: each is refused.
  std::vector<std::string> (*malformed)();
  /// Reads the bytes and, where there is a writer, writes what was read and reads it again. InvalidInput where they
  /// are not what they should be; anything else that is thrown is a finding.
  void (*read)(std::string_view bytes);
};

/// Those of fuzz/CMakeLists.txt, in its order.
const std::vector<Target>& targets();

/// Whether the target reads the bytes; false where it refuses them as it should: with InvalidInput and one line.
bool accepts(const Target& target, std::string_view bytes);

/// A finding, unless it holds.
void require(bool holds, const char* what);

/// A folder of this process that is gone when it ends.
const std::filesystem::path& scratch();

/// A file of the scratch folder with these bytes.
std::filesystem::path file_with(std::string_view bytes, const std::string& name);
std::string content_of(const std::filesystem::path& path);

/// Some targets read two files: the first ends at the first byte 0, and the second is empty where there is none.
std::pair<std::string, std::string> two_files(std::string_view bytes);
std::string joined(std::string first, const std::string& second);

}  // namespace dshn::fuzz
