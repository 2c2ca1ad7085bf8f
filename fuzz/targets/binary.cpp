// A binary data set, with the digest of its header put right: the places of arrays, and what is in those whose digests
// nobody looks at.
#include "dshn/data/binary_file.hpp"
#include "dshn/data/digests.hpp"
#include "dshn/data/stored_dataset.hpp"
#include "dshn/hypergraph/statistics.hpp"
#include "dshn/io/data_files.hpp"
#include "fuzz/samples.hpp"
#include "fuzz/target.hpp"
#include "io/array_file_bytes.hpp"

namespace dshn::fuzz::binary {
namespace {

data::Dataset deals() {
  data::Dataset dataset;
  dataset.hypergraph = mixed_hypergraph();
  dataset.node_features = {4, 2, std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8}};
  dataset.edge_features = {3, 5, data::Features::Entries{{0, 1, 1, 2}, {4, 0}, {}}};
  dataset.code.class_names = {"no", "yes"};
  dataset.class_count = 2;
  dataset.labels = {0, 1, -1, 1};
  dataset.splits = {{{0}, {1}, {3}}};
  return dataset;
}

std::string file_of(const io::ArrayViews& arrays, const char* kind = io::kDatasetKind) {
  io::write_array_file(scratch() / "seed.dshn", kind, arrays);
  return content_of(scratch() / "seed.dshn");
}

std::vector<std::string> valid() {
  const data::Dataset dataset = deals();
  const data::Dataset none;
  return {file_of(data::to_arrays(dataset)), file_of(data::to_arrays(none))};
}

std::vector<std::string> malformed() {
  const data::Dataset dataset = deals();
  io::ArrayViews outside = data::to_arrays(dataset);
  io::put_kept(outside, "members", std::vector<Index>{0, 1, 9, 1});
  const std::string whole = file_of(data::to_arrays(dataset));
  return {"", whole.substr(0, whole.size() - 1), file_of({}), file_of({}, "another"), file_of(outside)};
}

void read(std::string_view bytes) {
  const data::BinaryFile file(file_with(io::test::with_digest(std::string(bytes)), "file.dshn"));
  const data::Dataset dataset = file.dataset(0);
  static_cast<void>(data::digests_of(dataset));
  static_cast<void>(statistics(dataset.hypergraph));
  const io::Arrays arrays = io::copies_of(data::to_arrays(dataset));
  io::StoredArrays again(io::views_of(arrays), "copy");
  const data::Dataset copy = data::dataset_from(again);
  require(io::copies_of(data::to_arrays(copy)) == arrays, "what is written is read again");
}

}  // namespace

Target target() {
  return {"binary", valid, malformed, read};
}

}  // namespace dshn::fuzz::binary
