#include "dshn/data/binary_file.hpp"

#include <fmt/format.h>

#include <limits>

#include "dshn/base/error.hpp"
#include "dshn/data/stored_dataset.hpp"
#include "dshn/hypergraph/soundness.hpp"
#include "dshn/io/data_files.hpp"

namespace dshn::data {
namespace {

/// How many entries the array has; `more` are not counted.
std::int64_t length_of(const io::ArrayFile& file, const std::string& name, std::int64_t more,
                       std::int64_t most) {
  const auto found = file.arrays().find(name);
  const bool is_row = found != file.arrays().end() && found->second.shape.size() == 1;
  const std::int64_t length = is_row ? found->second.shape.front() - more : -1;
  if (length < 0 || length > most)
    throw InvalidInput(
        fmt::format("{}: the array '{}' is missing or has no fitting length", file.name(), name));
  return length;
}

}  // namespace

BinaryFile::BinaryFile(const std::filesystem::path& path) : path_(path), file_(path, io::kDatasetKind) {
  constexpr std::int64_t kMost = std::numeric_limits<Index>::max();
  node_count_ = static_cast<Index>(length_of(file_, "node_begin", 1, kMost));
  edge_count_ = static_cast<Index>(length_of(file_, "edge_begin", 1, kMost));
  incidence_count_ = length_of(file_, "members", 0, std::numeric_limits<Offset>::max());
}

Dataset BinaryFile::dataset(std::uint64_t digested_bytes) const {
  if (!holds_dataset()) {
    throw InvalidInput(
        fmt::format("{}: holds what a data set is made of, and none that is ready for use", file_.name()));
  }
  file_.verify(digested_bytes);
  io::StoredArrays stored(file_.arrays(), file_.name());
  Dataset dataset = dataset_from(stored);
  dataset.name = path_.stem().string();
  dataset.origin = file_.name();
  dataset.format = io::kBinaryTitle;
  return dataset;
}

void BinaryFile::verify() const {
  file_.verify();
  io::StoredArrays stored(file_.arrays(), file_.name());
  const Hypergraph hypergraph = holds_dataset() ? dataset_from(stored).hypergraph : stored.take_hypergraph();
  if (const std::string fault = find_fault(hypergraph, Soundness::whole); !fault.empty())
    throw InvalidInput(fmt::format("{}: {}", file_.name(), fault));
}

}  // namespace dshn::data
