#include "dshn/data/dataset_shelf.hpp"

#include <fmt/format.h>

namespace dshn::data {

std::shared_ptr<const Dataset> DatasetShelf::open(const std::string& what, const OpenOptions& options) {
  const std::string seeded = fmt::format("{}\n{}", what, options.seed);
  for (const std::string& key : {what, seeded}) {
    if (const auto found = opened_.find(key); found != opened_.end()) return found->second;
  }
  auto dataset = std::make_shared<const Dataset>(data::open(what, options));
  opened_[dataset->generated ? seeded : what] = dataset;
  return dataset;
}

}  // namespace dshn::data
