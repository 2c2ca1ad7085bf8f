// dataset.npz of a part, without the digest that holds it up.
#include "dshn/data/digests.hpp"
#include "dshn/io/npz.hpp"
#include "dshn/parts/cut.hpp"
#include "fuzz/samples.hpp"
#include "fuzz/target.hpp"
#include "parts/stored_dataset.hpp"

namespace dshn::fuzz::part_dataset {
namespace {

std::string archive(const io::Arrays& arrays) {
  io::write_npz(scratch() / "seed.npz", arrays, false);
  return content_of(scratch() / "seed.npz");
}

/// Of four nodes, of which the first and the last are in the part.
parts::Part one_part() {
  data::Dataset dataset;
  dataset.name = "deals";
  dataset.hypergraph = mixed_hypergraph();
  dataset.node_features = {4, 2, std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8}};
  dataset.edge_features = {3, 5, data::Features::Entries{{0, 1, 1, 2}, {4, 0}, {}}};
  dataset.code.node_columns = {{"town", {"Oslo", "Rome"}, 0, false}};
  dataset.code.class_names = {"no", "yes"};
  dataset.class_count = 2;
  dataset.labels = {0, 1, -1, 1};
  dataset.times = {0, 1, 2, 2};
  dataset.splits = {{{0}, {1}, {3}}};
  return parts::cut(dataset, {2, {0, 1, 1, 0}})[0];
}

std::vector<std::string> valid() {
  data::Dataset numbers = one_part().dataset;
  numbers.labels.clear();
  numbers.values = {1, 2, 3, 4};
  numbers.code.target = data::TargetKind::numbers;
  return {archive(parts::to_arrays(one_part().dataset)), archive(parts::to_arrays(numbers))};
}

std::vector<std::string> malformed() {
  data::Dataset dataset = one_part().dataset;
  dataset.labels = {0, 2};
  const std::string outside = archive(parts::to_arrays(dataset));
  dataset.labels.clear();
  dataset.splits[0].val = {2};
  return {"", archive({}), outside, archive(parts::to_arrays(dataset))};
}

void read(std::string_view bytes) {
  static const parts::Plan plan = one_part().plan;
  parts::StoredArrays stored(io::read_npz(file_with(bytes, "dataset.npz")), "dataset.npz");
  const data::Dataset dataset = parts::dataset_from(stored, plan);
  const io::Arrays arrays = parts::to_arrays(dataset);
  parts::StoredArrays again(arrays, "copy");
  require(parts::to_arrays(parts::dataset_from(again, plan)) == arrays, "what is written is read again");
  static_cast<void>(data::digests_of(dataset));
}

}  // namespace

Target target() {
  return {"part_dataset", valid, malformed, read};
}

}  // namespace dshn::fuzz::part_dataset
