// The arrays of a part's plan, without the digests that hold them up.
#include "dshn/base/error.hpp"
#include "dshn/io/npz.hpp"
#include "dshn/parts/cut.hpp"
#include "fuzz/samples.hpp"
#include "fuzz/target.hpp"
#include "parts/stored_plan.hpp"

namespace dshn::fuzz::part_plan {
namespace {

std::string archive(const io::ArrayViews& arrays) {
  io::write_npz(scratch() / "seed.npz", io::copies_of(arrays), false);
  return content_of(scratch() / "seed.npz");
}

std::vector<parts::Part> some_parts() {
  data::Dataset dataset;
  dataset.hypergraph = mixed_hypergraph();
  return parts::cut(dataset, {2, {0, 1, 1, 0}});
}

std::vector<std::string> valid() {
  std::vector<std::string> seeds;
  for (const parts::Part& part : some_parts()) seeds.push_back(archive(parts::to_arrays(part.plan)));
  return seeds;
}

std::vector<std::string> malformed() {
  parts::Plan plan = some_parts()[0].plan;
  plan.nodes = {3, 0};
  const std::string descends = archive(parts::to_arrays(plan));
  plan = some_parts()[0].plan;
  plan.shared = static_cast<Index>(plan.edges.size()) + 1;
  const std::string shares = archive(parts::to_arrays(plan));
  plan = some_parts()[0].plan;
  plan.to_owner.emplace_back();
  return {"", archive({}), descends, shares, archive(parts::to_arrays(plan))};
}

void read(std::string_view bytes) {
  const io::Arrays arrays = io::read_npz(file_with(bytes, "plan.npz"));
  for (const auto& [name, array] : arrays)
    if (array.dtype == io::DType::text) throw InvalidInput("no array of numbers");
  io::StoredArrays stored(io::views_of(arrays), "plan.npz");
  const parts::Plan plan = parts::plan_from(stored);
  require(io::copies_of(parts::to_arrays(plan)) == arrays, "what is read is what was written");
}

}  // namespace

Target target() {
  return {"part_plan", valid, malformed, read};
}

}  // namespace dshn::fuzz::part_plan
