#pragma once

#include <cstdint>
#include <filesystem>

#include "dshn/data/dataset.hpp"
#include "dshn/io/array_file.hpp"

namespace dshn::data {

/// Arrays up to so many bytes are held against their digests before a data set of a file is used; larger ones are
/// looked at for what could lead out of them, which costs less.
inline constexpr std::uint64_t kDigestedBytes = std::uint64_t{1} << 24;

/// A data set in the binary format, mapped into memory (see io::ArrayFile for what must not happen to the file).
class BinaryFile {
 public:
  /// Opens it in the same time whatever its size: the header alone is read and checked. InvalidInput where that is
  /// wrong.
  explicit BinaryFile(const std::filesystem::path& path);

  const io::ArrayFile& file() const { return file_; }
  Index node_count() const { return node_count_; }
  Index edge_count() const { return edge_count_; }
  Offset incidence_count() const { return incidence_count_; }
  /// Whether a data set is stored that was made before, not only what it would be made of.
  bool holds_dataset() const { return file_.arrays().contains("about"); }

  /// The data set that was stored, called after the file. Hypergraph and features stand on the file and keep it mapped;
  /// labels, splits and words are copied. InvalidInput where a small array is damaged, or a large one so that it would
  /// lead out of another: one pass over the file but for dense features, on all threads.
  Dataset dataset(std::uint64_t digested_bytes = kDigestedBytes) const;

  /// Reads everything. InvalidInput, with the byte, where an array is not what was written, and where the views of the
  /// hypergraph contradict each other.
  void verify() const;

 private:
  std::filesystem::path path_;
  io::ArrayFile file_;
  Index node_count_ = 0;
  Index edge_count_ = 0;
  Offset incidence_count_ = 0;
};

}  // namespace dshn::data
