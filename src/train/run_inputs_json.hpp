#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "dshn/train/run_inputs.hpp"

namespace dshn::train {

nlohmann::ordered_json to_json(const RunInputs& inputs);

/// InvalidInput, beginning with `where`, for text that to_json has not written.
RunInputs inputs_from_json(const std::string& text, const std::string& where);

}  // namespace dshn::train
