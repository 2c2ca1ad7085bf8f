#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dshn/io/array.hpp"

/// Arrays in a file that is mapped into memory, not read: they are used where they are. docs/formats.md says what
/// is in it byte by byte.
namespace dshn::io {

/// An array of numbers that somebody keeps, row by row, in the machine's own byte order.
struct ArrayView {
  DType dtype = DType::uint8;  // never text
  std::vector<std::int64_t> shape = {};
  std::span<const std::byte> bytes = {};
  /// Keeps the bytes where they are; null where whoever made the view does.
  std::shared_ptr<const void> owner = {};
};
using ArrayViews = std::map<std::string, ArrayView>;

/// Views of arrays of numbers that must outlive them; UsageError for text.
ArrayViews views_of(const Arrays& arrays);

Arrays copies_of(const ArrayViews& views);

/// Writes the arrays, one after another, without holding any of them; two that are equal share their place. `kind` says
/// what they are together. The file appears complete or not at all; equal arrays give equal bytes. Returns the digest
/// of all that is in it. UsageError for names that are not UTF-8.
std::string write_array_file(const std::filesystem::path& path, const std::string& kind,
                             const ArrayViews& arrays);

/// Whether a file that begins so was written by write_array_file, by any version of it.
bool begins_as_array_file(std::string_view start);
/// Whether the file begins so. InvalidInput where it cannot be read.
bool is_array_file(const std::filesystem::path& path);

/// Such a file, open: the arrays lie in it, and are there as long as one of their owners lives.
///
/// The file must not be changed meanwhile: that changes the numbers under whoever computes with them, and where it
/// becomes shorter the system ends the process (SIGBUS). To replace it by another file of the same name is safe.
class ArrayFile {
 public:
  /// Reads the header and checks it, whatever the size of the file: its digest, the length of the file, the places of
  /// the arrays. InvalidInput, with the byte, where these are wrong, for another byte order, for a version that is not
  /// known, and for another kind.
  ArrayFile(const std::filesystem::path& path, const std::string& kind);

  const std::string& name() const { return name_; }
  /// Of all that is in the file, as write_array_file returned it.
  const std::string& digest() const { return digest_; }
  std::uint64_t size() const { return size_; }
  const ArrayViews& arrays() const { return arrays_; }
  /// Reads all arrays that are no larger. InvalidInput, with the byte at which it begins, for one that is not what was
  /// written.
  void verify(std::uint64_t most_bytes = std::numeric_limits<std::uint64_t>::max()) const;

 private:
  void read_entries(const std::string& header, const std::string& kind, std::span<const std::byte> bytes,
                    const std::shared_ptr<const void>& owner);
  [[noreturn]] void fail(std::uint64_t byte, const std::string& what) const;

  struct Mark {
    std::uint64_t begin = 0;
    std::string digest;
  };
  std::string name_;
  std::string digest_;
  std::uint64_t size_ = 0;
  ArrayViews arrays_;
  std::map<std::string, Mark> marks_;
};

}  // namespace dshn::io
