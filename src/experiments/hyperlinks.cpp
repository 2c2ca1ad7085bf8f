// Beyond the paper: Chameleon and Squirrel with their true hyperlinks. The direction in the paper's files is
// an artefact: each undirected edge is stored once, the smaller index first.
#include "experiments/entries.hpp"

namespace dshn::experiments {
namespace {

Plan hyperlinks_plan(const ReproductionRequest& request) {
  Plan plan;
  for (const std::string model : {"dshn", "dshn-light"}) {
    for (const std::string data : {"chameleon", "chameleon-directed", "squirrel", "squirrel-directed"}) {
      if (request.quick && request.data.empty() && (data.starts_with("squirrel") || model == "dshn"))
        continue;
      Cell cell{.data = data, .model = model, .search = true, .row = title_of(model), .column = data};
      cell.paper = paper_figure(data, model);
      plan.cells.push_back(cell);
    }
  }
  if (request.quick && request.data.empty())
    plan.left_out.emplace_back("quick: the squirrel sets, and DSHN, unless sets are named");
  plan.notes.emplace_back(
      "test accuracy in per cent; in brackets the paper's, which has the sets without -directed");
  return plan;
}

}  // namespace

Reproduction hyperlinks_entry() {
  return {.name = "hyperlinks",
          .title = "True hyperlinks",
          .summary = "chameleon and squirrel beside their variants with true hyperlinks (beyond the paper)",
          .plan = hyperlinks_plan,
          .searches = true};
}

}  // namespace dshn::experiments
