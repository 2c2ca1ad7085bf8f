// nodes.npz of a data set folder: features, targets and splits.
#include <cmath>

#include "dshn/data/assemble.hpp"
#include "dshn/data/digests.hpp"
#include "dshn/io/npz.hpp"
#include "fuzz/samples.hpp"
#include "fuzz/target.hpp"

namespace dshn::fuzz::arrays {
namespace {

using io::Array;

std::string archive(const io::Arrays& arrays) {
  io::write_npz(scratch() / "seed.npz", arrays, false);
  return content_of(scratch() / "seed.npz");
}

Array mask(const std::vector<bool>& values) {
  return Array::of(values, {4});
}

std::vector<std::string> valid() {
  const Array labels = Array::of(std::vector<std::int64_t>{0, 1, -1, 1}, {4});
  return {archive({{"x", Array::of(std::vector<float>(8, 0.5F), {4, 2})},
                   {"y", labels},
                   {"class_names", Array::of(std::vector<std::string>{"no", "yes"}, {2})},
                   {"train_masks", mask({true, false, false, false})},
                   {"val_masks", mask({false, true, false, false})},
                   {"test_masks", mask({false, false, false, true})}}),
          archive({{"x_bits", Array::of(std::vector<std::uint8_t>{0x80, 0x40, 0, 0xc0}, {4, 1})},
                   {"x_shape", Array::of(std::vector<std::int64_t>{4, 2}, {2})},
                   {"y", Array::of(std::vector<double>(8, 1.5), {4, 2})}}),
          archive({{"edge_x", Array::of(std::vector<double>{1, 2}, {2})},
                   {"edge_y", Array::of(std::vector<std::int64_t>{1, 0}, {2})},
                   {"edge_x_names", Array::of(std::vector<std::string>{"size"}, {1})}}),
          archive({{"y", Array::of(std::vector<std::int64_t>{0, 1, 1, 0, 1, 1, 0, 0}, {4, 2})},
                   {"y_target", Array::of(std::vector<std::string>{"labels"}, {})}})};
}

std::vector<std::string> malformed() {
  return {"",
          archive({{"y", Array::of(std::vector<std::int64_t>{0, 1}, {2})}}),
          archive({{"y", Array::of(std::vector<std::int64_t>{0, 1, -7, 0}, {4})}}),
          archive({{"x", Array::of(std::vector<double>{0, 1, NAN, 0}, {4})}}),
          archive({{"x_bits", Array::of(std::vector<std::uint8_t>{1}, {1})},
                   {"x_shape", Array::of(std::vector<std::int64_t>{4, 1'000'000'000'000}, {2})}}),
          archive({{"train_masks", mask({true, true, true, true})}})};
}

void read(std::string_view bytes) {
  io::Loaded loaded;
  loaded.hypergraph = plain_hypergraph();
  loaded.arrays = io::read_npz(file_with(bytes, "nodes.npz"));
  const data::Dataset dataset = data::assemble(std::move(loaded), {.name = "x", .where = "x", .task = {}});
  for (const Index label : dataset.labels)
    require(label >= -1 && label < dataset.class_count, "labels are classes");
  for (const data::Split& split : dataset.splits)
    for (const auto* part : {&split.train, &split.val, &split.test})
      for (const Index item : *part) require(item >= 0 && item < 4, "splits are of items");
  static_cast<void>(data::digests_of(dataset));
}

}  // namespace

Target target() {
  return {"arrays", valid, malformed, read};
}

}  // namespace dshn::fuzz::arrays
