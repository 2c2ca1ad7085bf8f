#pragma once

#include <string>
#include <string_view>

#include "dshn/data/registry.hpp"

namespace dshn::cli {

/// The paper's row for a model on a data set; null where it has none. A generated synthetic set stands beside
/// the figures of the set that its generator imitates.
const data::PaperResult* paper_result(std::string_view data, const std::string& model);

}  // namespace dshn::cli
