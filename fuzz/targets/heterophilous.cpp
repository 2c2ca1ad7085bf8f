#include "dshn/base/error.hpp"
#include "dshn/data/assemble.hpp"
#include "dshn/io/load.hpp"
#include "dshn/io/npz.hpp"
#include "fuzz/target.hpp"

namespace dshn::fuzz::heterophilous {
namespace {

std::string archive(const std::vector<std::int64_t>& ends, const io::Array& labels) {
  const auto arcs = static_cast<std::int64_t>(ends.size()) / 2;
  const io::Array mask = io::Array::of(std::vector<bool>{true, false, false}, {1, 3});
  io::write_npz(scratch() / "seed.npz",
                {{"edges", io::Array::of(ends, {arcs, 2})},
                 {"node_labels", labels},
                 {"node_features", io::Array::of(std::vector<float>{0, 1, 0.5F}, {3, 1})},
                 {"train_masks", mask},
                 {"val_masks", io::Array::of(std::vector<bool>{false, true, false}, {1, 3})},
                 {"test_masks", io::Array::of(std::vector<bool>{false, false, true}, {1, 3})}},
                false);
  return content_of(scratch() / "seed.npz");
}

io::Array labels(const std::vector<std::int64_t>& values) {
  const auto count = static_cast<std::int64_t>(values.size());
  return io::Array::of(values, {count});
}

std::vector<std::string> valid() {
  return {archive({0, 1, 1, 2}, labels({0, 1, 0})), archive({}, labels({1, 1, 0}))};
}

std::vector<std::string> malformed() {
  return {"", archive({0, 3}, labels({0, 1, 0})), archive({0, 1}, labels({0, 1})),
          archive({0, -1}, labels({0, 1, 0}))};
}

void read(std::string_view bytes) {
  const std::filesystem::path file = file_with(bytes, "file.npz");
  io::Arrays arrays = io::read_npz(file);
  if (!arrays.contains("edges") || !arrays.contains("node_labels")) throw InvalidInput("another archive");
  data::assemble(io::load(file), {.name = "x", .where = "x", .task = {}});
}

}  // namespace

Target target() {
  return {"heterophilous", valid, malformed, read};
}

}  // namespace dshn::fuzz::heterophilous
