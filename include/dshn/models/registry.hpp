#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dshn/base/options.hpp"
#include "dshn/models/model.hpp"

namespace dshn::models {

/// A model as the registry knows it.
struct ModelEntry {
  std::string name;     // as --model takes it
  std::string title;    // as the paper prints it, where it has the model
  std::string summary;  // one sentence
  std::vector<OptionSpec> options;
  std::function<std::shared_ptr<Model>(const Options&, const Sizes&)> create;
  bool is_rule = false;  // what it creates is a Rule (dshn/models/rules.hpp): counted, not trained
};

/// All models: the paper's in the order of its tables, then what they are measured against.
const std::vector<ModelEntry>& all_models();

/// Throws UsageError with the nearest name when there is none.
const ModelEntry& find_model(std::string_view name);

}  // namespace dshn::models
