// The paper's table of hyperedge classification: F1 on reactions.
#include "dshn/models/registry.hpp"
#include "experiments/entries.hpp"

namespace dshn::experiments {
namespace {

/// Epochs of a quick run: one takes a second or two, even on the smaller set.
constexpr const char* kQuickEpochs = "10";

Plan hyperedges_plan(const ReproductionRequest& request) {
  Plan plan;
  for (const models::ModelEntry& model : models::all_models()) {
    if (!is_paper_model(model.name)) continue;
    for (const std::string data : {"uspto-10k", "uspto-50k"}) {
      const bool slow = data == "uspto-50k" || (model.name != "hgnn" && model.name != "dshn-light");
      if (request.quick && request.data.empty() && request.models.empty() && slow) continue;
      Cell cell{.data = data, .model = model.name, .search = true, .row = model.title, .column = data};
      if (request.quick) cell.set = {{"epochs", kQuickEpochs}};
      cell.paper = paper_figure("uspto-50k", model.name);  // Molecular-1: the same reactions, all of them
      plan.cells.push_back(cell);
    }
  }
  plan.missing.push_back(missing_line("molecular-2"));
  plan.missing.emplace_back(
      "molecular-1, as the paper made it, was not published; uspto-50k holds its reactions in another form");
  if (request.quick)
    plan.left_out.push_back(std::string("quick: epochs after ") + kQuickEpochs +
                            "; uspto-50k and models but HGNN and DSHNLight, unless sets or models are named");
  plan.notes.emplace_back(
      "test F1 in per cent; in brackets the paper's for Molecular-1; uspto-10k is a fifth of it");
  return plan;
}

}  // namespace

Reproduction hyperedges_entry() {
  return {.name = "hyperedges",
          .title = "Hyperedge classification",
          .summary = "F1 of every model on the reactions of uspto-10k and uspto-50k",
          .plan = hyperedges_plan,
          .searches = true};
}

}  // namespace dshn::experiments
