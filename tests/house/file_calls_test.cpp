// Files are changed in one place, where tests can let it go wrong: nobody else calls the system for that.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <string>

#include "house/this_house.hpp"

namespace dshn::house {
namespace {

namespace fs = std::filesystem;

/// Whether a line of code opens a file for writing or makes, renames or removes anything.
bool changes_files(const std::string& line) {
  static const std::regex comment("//.*");
  static const std::regex opens(
      R"re((^|[^\w])::open\(.*O_(WRONLY|RDWR|CREAT)|mkos?temp\(|mkdtemp\(|ofstream|\bfstream\b|fopen\(.*"[wa])re");
  static const std::regex calls(
      R"((^|[^\w>])(std)?::(p?write|fsync|fdatasync|f?truncate|rename|renameat2|mkdir|unlink|rmdir|remove|link|symlink|f?chmod)\()");
  static const std::regex standard(
      R"((fs|filesystem)::(rename|remove|remove_all|create_\w+|copy\w*|resize_file|permissions|last_write_time)\()");
  const std::string code = std::regex_replace(line, comment, "");
  if (code.starts_with("#include")) return false;
  const bool of_a_range = code.find(".begin()") != std::string::npos;  // std::remove of <algorithm>
  return std::regex_search(code, opens) || std::regex_search(code, standard) ||
         (std::regex_search(code, calls) && !of_a_range);
}

TEST(FileCalls, AreInOnePlace) {
  int files = 0;
  for (const char* folder : {"src", "include", "python/src"}) {
    for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder)) {
      const std::string name = fs::relative(entry.path(), kRoot).string();
      const std::string kind = entry.path().extension().string();
      if ((kind != ".cpp" && kind != ".hpp") || name == "src/io/file_system.cpp") continue;
      ++files;
      std::ifstream in(entry.path());
      int number = 0;
      for (std::string line; std::getline(in, line);) {
        ++number;
        EXPECT_FALSE(changes_files(line)) << name << ":" << number << ": " << line
                                          << "\nuse dshn/io/file_system.hpp, so that a test can let it fail";
      }
    }
  }
  EXPECT_GT(files, 100);
}

TEST(FileCalls, AreRecognised) {
  EXPECT_TRUE(changes_files("  std::ofstream(path) << text;"));
  EXPECT_TRUE(changes_files("  std::ofstream file(path);"));
  EXPECT_TRUE(changes_files("  fs::remove_all(folder);"));
  EXPECT_TRUE(changes_files("  std::filesystem::create_directories(folder, error);"));
  EXPECT_TRUE(changes_files("  const int d = ::open(path.c_str(), O_WRONLY | O_CREAT, 0666);"));
  EXPECT_TRUE(changes_files("  if (::write(d, bytes.data(), bytes.size()) < 0) return;"));
  EXPECT_TRUE(changes_files("  (void)::unlink(path.c_str());"));
  EXPECT_TRUE(changes_files("  if (std::rename(a.c_str(), b.c_str()) != 0) fail();"));
  EXPECT_TRUE(changes_files("  FILE* file = std::fopen(path.c_str(), \"wb\");"));
  EXPECT_FALSE(changes_files("  const int d = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);"));
  EXPECT_FALSE(changes_files("  std::ifstream in(path);"));
  EXPECT_FALSE(changes_files("  FILE* file = std::fopen(path.c_str(), \"rb\");"));
  EXPECT_FALSE(changes_files("  list.erase(std::remove(list.begin(), list.end(), 3), list.end());"));
  EXPECT_FALSE(changes_files("  (void)io::disk::remove(name.c_str());"));
  EXPECT_FALSE(changes_files("void AtomicFile::write(std::string_view bytes) {"));
}

}  // namespace
}  // namespace dshn::house
