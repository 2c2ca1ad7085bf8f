#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dshn::io {

/// The undecoded bytes of a file, of which the first may be looked at before they are taken.
class ByteInput {
 public:
  explicit ByteInput(const std::filesystem::path& path);
  ~ByteInput();
  ByteInput(const ByteInput&) = delete;
  ByteInput& operator=(const ByteInput&) = delete;

  const std::string& name() const { return name_; }
  std::int64_t total() const { return total_; }
  /// Bytes taken so far.
  std::int64_t offset() const { return read_ - static_cast<std::int64_t>(rest_.size()); }

  /// What is buffered and not yet taken, after reading more if nothing was; empty at the end of the file.
  std::string_view peek();
  void take(std::size_t bytes) { rest_.remove_prefix(bytes); }
  /// Takes bytes into `out` until it is full or the file ends.
  std::size_t read(std::span<char> out);

  /// Throws InvalidInput: "<file>: <what> at byte <offset>".
  [[noreturn]] void fail(const std::string& what) const;

 private:
  std::size_t read_now(std::span<char> out);

  std::string name_;
  int descriptor_ = -1;
  std::int64_t total_ = 0;
  std::int64_t read_ = 0;
  std::vector<char> buffer_;
  std::string_view rest_;
};

}  // namespace dshn::io
