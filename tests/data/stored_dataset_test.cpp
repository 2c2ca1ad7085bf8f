#include "dshn/data/stored_dataset.hpp"

#include <gmock/gmock.h>

#include "data/any_dataset.hpp"
#include "data/same_dataset.hpp"
#include "dshn/data/binary_file.hpp"
#include "dshn/io/data_files.hpp"
#include "support/temporary_folder.hpp"

namespace dshn::data {
namespace {

RC_GTEST_PROP(StoredDataset, IsWhatWasStored, ()) {
  const Dataset dataset = testing::any_dataset();
  io::StoredArrays stored(to_arrays(dataset), "here");
  RC_ASSERT(testing::differences(dataset_from(stored), dataset) == "");
  stored.finish();
}

RC_GTEST_PROP(StoredDataset, IsTheSameInAFile, ()) {
  const TemporaryFolder folder;
  Dataset dataset = testing::any_dataset();
  io::write_array_file(folder / "drawn.dshn", io::kDatasetKind, to_arrays(dataset));

  const BinaryFile file(folder / "drawn.dshn");

  file.verify();
  dataset.origin = (folder / "drawn.dshn").string();
  dataset.format = "binary data set";
  RC_ASSERT(testing::differences(file.dataset(), dataset) == "");
  RC_ASSERT(testing::differences(file.dataset(0), dataset) == "");
  RC_ASSERT(file.node_count() == dataset.hypergraph.node_count());
  RC_ASSERT(file.edge_count() == dataset.hypergraph.edge_count());
  RC_ASSERT(file.incidence_count() == dataset.hypergraph.incidence_count());
}

}  // namespace
}  // namespace dshn::data
