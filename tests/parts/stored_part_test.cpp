#include <gmock/gmock.h>

#include "data/any_dataset.hpp"
#include "dshn/data/stored_dataset.hpp"
#include "dshn/parts/cut.hpp"
#include "parts/any_partition.hpp"
#include "parts/same_part.hpp"
#include "parts/stored_dataset.hpp"
#include "parts/stored_plan.hpp"

namespace dshn::parts {
namespace {

RC_GTEST_PROP(StoredPart, IsWhatWasStored, ()) {
  const data::Dataset whole = data::testing::any_dataset();
  for (const Part& part : cut(whole, testing::any_partition(whole.hypergraph.node_count()))) {
    io::StoredArrays plan(to_arrays(part.plan), "plan");
    io::StoredArrays dataset(data::to_arrays(part.dataset), "dataset");
    Part stored;
    stored.plan = plan_from(plan);
    stored.dataset = dataset_from(dataset, stored.plan);
    RC_ASSERT(testing::differences(stored, part) == "");
  }
}

}  // namespace
}  // namespace dshn::parts
