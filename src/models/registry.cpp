#include "dshn/models/registry.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "dshn/base/error.hpp"
#include "dshn/base/spelling.hpp"
#include "models/entries.hpp"

namespace dshn::models {

const std::vector<ModelEntry>& all_models() {
  static const std::vector<ModelEntry> models{
      hgnn_entry(),           hnhn_entry(),        unigcnii_entry(),           legcn_entry(),
      hypernd_entry(),        alldeepsets_entry(), allset_transformer_entry(), ed_hnn_entry(),
      sheaf_hypergnn_entry(), phenomnn_entry(),    gedi_hnn_entry(),           dhgnn_entry(),
      dhgnn_emb_entry(),      dshn_entry(),        dshn_light_entry(),         components_entry(),
      head_share_entry(),
  };
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
