// The arrays of a part's data set, without the digests that hold them up.
#include "dshn/base/error.hpp"
#include "dshn/data/digests.hpp"
#include "dshn/data/stored_dataset.hpp"
#include "dshn/io/npz.hpp"
#include "dshn/parts/cut.hpp"
#include "fuzz/samples.hpp"
#include "fuzz/target.hpp"
#include "parts/stored_dataset.hpp"

namespace dshn::fuzz::part_dataset {
namespace {

std::string archive(const io::ArrayViews& arrays) {
  io::write_npz(scratch() / "seed.npz", io::copies_of(arrays), false);
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
  return {archive(data::to_arrays(one_part().dataset)), archive(data::to_arrays(numbers))};
}

std::vector<std::string> malformed() {
  data::Dataset dataset = one_part().dataset;
  dataset.labels = {0, 2};
  const std::string outside = archive(data::to_arrays(dataset));
  dataset.labels.clear();
  dataset.splits[0].val = {2};
  return {"", archive({}), outside, archive(data::to_arrays(dataset))};
}

void read(std::string_view bytes) {
  static const parts::Plan plan = one_part().plan;
  const io::Arrays given = io::read_npz(file_with(bytes, "dataset.npz"));
  for (const auto& [name, array] : given)
    if (array.dtype == io::DType::text) throw InvalidInput("no array of numbers");
  io::StoredArrays stored(io::views_of(given), "dataset.npz");
  const data::Dataset dataset = parts::dataset_from(stored, plan);
  const io::Arrays arrays = io::copies_of(data::to_arrays(dataset));
  io::StoredArrays again(io::views_of(arrays), "copy");
  const data::Dataset copy = parts::dataset_from(again, plan);
  require(io::copies_of(data::to_arrays(copy)) == arrays, "what is written is read again");
  static_cast<void>(data::digests_of(dataset));
}

}  // namespace

Target target() {
  return {"part_dataset", valid, malformed, read};
}

}  // namespace dshn::fuzz::part_dataset
