#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

namespace dshn::io::test {

/// A folder of its own that is gone when the test is over.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    static int counter = 0;
    path_ = std::filesystem::temp_directory_path() /
            ("dshn_io_test_" + std::to_string(::getpid()) + "_" + std::to_string(counter++));
    std::filesystem::create_directories(path_);
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }
  std::size_t file_count() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path_), {}));
  }

 private:
  std::filesystem::path path_;
};

inline void put_file(const std::filesystem::path& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

inline std::string get_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline std::string from_hex(std::string_view hex) {
  std::string bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
  }
  return bytes;
}

/// Calls f and gives the message of the exception of type E that it throws, or nothing when it does not
/// throw.
template <typename E, typename F>
std::optional<std::string> message_of(F&& f) {
  try {
    f();
  } catch (const E& error) {
    return error.what();
  }
  return std::nullopt;
}

/// The real data sets, where DSHN_DATA_DIR or the shared folder beside the checkout has them.
inline std::filesystem::path data_folder() {
  const char* const named = std::getenv("DSHN_DATA_DIR");
  return named != nullptr ? std::filesystem::path(named)
                          : std::filesystem::path(DSHN_SOURCE_DIR) / ".." / "shared" / "data";
}

}  // namespace dshn::io::test
