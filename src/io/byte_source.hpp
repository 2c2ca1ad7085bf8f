#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "io/input_file.hpp"

namespace dshn::io {

/// A run of bytes of known length that is read once, from front to back.
class ByteSource {
 public:
  virtual ~ByteSource() = default;

  /// Fills all of `out`, or throws InvalidInput.
  void read(std::span<std::byte> out);
  std::uint64_t remaining() const { return size_ - position_; }
  std::uint64_t position() const { return position_; }
  /// Throws InvalidInput with the source's name and the given position, by default the current one.
  [[noreturn]] void fail(const std::string& message) const { fail_at(position_, message); }
  [[noreturn]] void fail_at(std::uint64_t position, const std::string& message) const;

 protected:
  ByteSource(std::string name, std::uint64_t size) : name_(std::move(name)), size_(size) {}

 private:
  virtual void read_next(std::span<std::byte> out) = 0;

  std::string name_;
  std::uint64_t size_;
  std::uint64_t position_ = 0;
};

/// The whole of a file.
class FileSource : public ByteSource {
 public:
  explicit FileSource(const std::filesystem::path& path) : FileSource(std::make_unique<InputFile>(path)) {}

 private:
  explicit FileSource(std::unique_ptr<InputFile> file)
      : ByteSource(file->name(), file->size()), file_(std::move(file)) {}
  void read_next(std::span<std::byte> out) override { file_->read_at(position(), out); }

  std::unique_ptr<InputFile> file_;
};

}  // namespace dshn::io
