#include "dshn/models/registry.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "dshn/base/error.hpp"
#include "dshn/base/spelling.hpp"

namespace dshn::models {

// Each model's file defines the entry of its name.
#define DSHN_PLUG(name) ModelEntry name##_entry();
#include "models/plugs.inc"
#undef DSHN_PLUG

const std::vector<ModelEntry>& all_models() {
#define DSHN_PLUG(name) name##_entry(),
  static const std::vector<ModelEntry> models{
#include "models/plugs.inc"
  };
#undef DSHN_PLUG
  return models;
}

const ModelEntry& find_model(std::string_view name) {
  std::vector<std::string> names;
  for (const ModelEntry& entry : all_models()) {
    if (entry.name == name) return entry;
    names.push_back(entry.name);
  }
  const auto close = nearest(std::string(name), names);
  throw UsageError(fmt::format("unknown model '{}'; {}there are {}", name,
                               close ? fmt::format("did you mean '{}'? ", *close) : "",
                               fmt::join(names, ", ")));
}

}  // namespace dshn::models
