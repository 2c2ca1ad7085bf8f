#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace dshn::data {

/// A partly downloaded file: bytes are appended to what is there. Every error of the system is a Failure.
class PartFile {
 public:
  /// Opens or creates it.
  explicit PartFile(std::filesystem::path path);
  ~PartFile();
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;

  std::int64_t size() const { return size_; }
  void append(std::string_view bytes);
  void clear();
  /// To the disk.
  void flush();

 private:
  [[noreturn]] void fail(const char* what) const;

  std::filesystem::path path_;
  int descriptor_ = -1;
  std::int64_t size_ = 0;
};

}  // namespace dshn::data
