// Beyond the paper: kinds of restriction maps side by side.
#include "dshn/sheaf/maps.hpp"

#include "experiments/entries.hpp"

namespace dshn::experiments {
namespace {

Plan maps_plan(const ReproductionRequest&) {
  Plan plan;
  for (const std::string model : {"dshn", "dshn-light"}) {
    for (const std::string& kind : sheaf::map_kind_names()) {
      plan.cells.push_back({.data = "telegram",
                            .model = model,
                            .set = {{"d", "3"}, {"maps", kind}},  // with d = 1 most kinds would be one
                            .row = title_of(model),
                            .column = kind});
    }
  }
  plan.notes.emplace_back(
      "test accuracy in per cent on telegram with d = 3; the paper reports no such table");
  return plan;
}

}  // namespace

Reproduction maps_entry() {
  return {.name = "maps",
          .title = "Kinds of restriction maps",
          .summary = "every kind of maps on telegram (beyond the paper)",
          .plan = maps_plan};
}

}  // namespace dshn::experiments
