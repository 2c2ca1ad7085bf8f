#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dshn::io {

/// Stands for standard input wherever the path of a file to read is expected.
inline constexpr const char* kStandardInput = "-";
/// The path as messages have it.
std::string shown_path(const std::filesystem::path& path);

/// A file that is open for reading, from front to back or, where it is a regular one, in any order. Standard
/// input and pipes are read once and kept, so that they can be opened again.
class InputFile {
 public:
  /// Throws InvalidInput for what cannot be opened or is a folder.
  explicit InputFile(const std::filesystem::path& path);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  const std::string& name() const { return name_; }
  /// 0 for a device.
  std::uint64_t size() const { return size_; }
  /// The next bytes, at least one of them unless the file ends. Throws InvalidInput, as does read_at.
  std::size_t read(std::span<char> out);
  /// Fills all of `out` from the given position.
  void read_at(std::uint64_t position, std::span<std::byte> out) const;

  struct Contents {
    std::span<const std::byte> bytes;
    std::shared_ptr<const void> owner;  // keeps them
  };
  /// All bytes of a regular file, mapped rather than read, or of what is in memory already: also when this object is gone.
  Contents contents() const;

 private:
  std::string name_;
  int descriptor_ = -1;  // -1: in memory
  std::string_view memory_ = {};
  std::size_t taken_ = 0;  // of the memory
  std::uint64_t size_ = 0;
};

/// The undecoded bytes of a file, of which the first may be looked at before they are taken.
class ByteInput {
 public:
  explicit ByteInput(const std::filesystem::path& path);

  const std::string& name() const { return file_.name(); }
  std::int64_t total() const { return static_cast<std::int64_t>(file_.size()); }
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

  InputFile file_;
  std::int64_t read_ = 0;
  std::vector<char> buffer_;
  std::string_view rest_;
};

}  // namespace dshn::io
