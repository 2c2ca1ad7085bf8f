// The paper's tables of accuracies: every model on every real-world or synthetic set.
#include "dshn/data/registry.hpp"
#include "dshn/models/registry.hpp"
#include "experiments/entries.hpp"

namespace dshn::experiments {
namespace {

/// Sets that take seconds, and the models that matter most: what a quick run keeps.
const std::vector<std::string> kQuickSets{"telegram", "email-enron", "cornell", "wisconsin", "texas"};
const std::vector<std::string> kQuickModels{"hgnn", "gedi-hnn", "dshn", "dshn-light"};
/// What the synthetic benchmark can be solved with, beside the paper's models.
const std::vector<std::string> kRules{"components", "head-share"};

bool holds(const std::vector<std::string>& list, std::string_view name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

Plan accuracy_plan(const ReproductionRequest& request, bool synthetic) {
  Plan plan;
  for (const models::ModelEntry& model : models::all_models()) {
    const bool of_paper = is_paper_model(model.name);
    if (!of_paper && !(synthetic && holds(kRules, model.name))) continue;
    if (request.quick && request.models.empty() && of_paper && !holds(kQuickModels, model.name)) continue;
    for (const data::Entry& entry : data::registry()) {
      const std::string name(entry.name);
      if (entry.task != data::Task::node_classification || !has_paper_results(name)) continue;
      if (name.starts_with("synthetic") != synthetic) continue;
      if (request.quick && request.data.empty() && !synthetic && !holds(kQuickSets, name)) continue;
      plan.cells.push_back({.data = name,
                            .model = model.name,
                            .search = true,
                            .row = model.title,
                            .column = name,
                            .paper = paper_figure(name, model.name)});
    }
  }
  if (request.quick && request.models.empty())
    plan.left_out.emplace_back(
        "quick: models but HGNN, GeDi-HNN, DSHN and DSHNLight, unless models are named");
  if (request.quick && request.data.empty() && !synthetic)
    plan.left_out.emplace_back("quick: sets of more than 300 nodes, unless sets are named");
  plan.notes.emplace_back(
      "test accuracy in per cent, mean ± standard deviation over splits and seeds; in brackets the paper's");
  return plan;
}

}  // namespace

Reproduction real_world_entry() {
  return {.name = "real-world",
          .title = "Accuracy on the real-world sets",
          .summary = "every model on the paper's twelve real-world sets",
          .plan = [](const ReproductionRequest& request) { return accuracy_plan(request, false); },
          .searches = true};
}

Reproduction synthetic_entry() {
  return {.name = "synthetic",
          .title = "Accuracy on the synthetic sets",
          .summary = "every model and two rules without training on the paper's three synthetic sets",
          .plan = [](const ReproductionRequest& request) { return accuracy_plan(request, true); },
          .searches = true};
}

}  // namespace dshn::experiments
