// The paper's figure 'Effect of the charge parameter q on Telegram and Cora', and the charge learned.
#include <map>

#include "experiments/entries.hpp"

namespace dshn::experiments {
namespace {

const std::vector<std::string> kCharges{"0", "0.05", "0.1", "0.15", "0.2", "0.25"};

/// Read from the figure, in the order of kCharges.
const std::map<std::string, std::vector<double>> kPaperByCharge{
    {"telegram", {63.46, 67.31, 76.92, 80.38, 82.62, 88.50}},
    {"cora", {86.25, 86.06, 85.96, 85.63, 84.74, 83.37}}};

Plan q_effect_plan(const ReproductionRequest& request) {
  Plan plan;
  for (const auto& [data, paper] : kPaperByCharge) {
    if (request.quick && request.data.empty() && data == "cora") continue;
    for (const std::string model : {"dshn", "dshn-light"}) {
      Cell cell{.data = data, .model = model, .row = title_of(model) + " on " + data};
      for (std::size_t i = 0; i < kCharges.size(); ++i) {
        cell.set = {{"q", kCharges[i]}};
        cell.column = kCharges[i];
        cell.paper.reset();
        if (model == "dshn") cell.paper = PaperFigure{.mean = paper[i]};
        plan.cells.push_back(cell);
      }
      cell.paper.reset();
      for (const std::string learned : {"learn", "learn-per-layer"}) {
        cell.set = {{"q", learned}};
        cell.column = learned;
        plan.cells.push_back(cell);
      }
    }
  }
  if (request.quick && request.data.empty()) plan.left_out.emplace_back("quick: cora, unless it is named");
  plan.notes.emplace_back(
      "test accuracy in per cent by charge q; the paper's figure, in brackets, has no deviations");
  return plan;
}

}  // namespace

Reproduction q_effect_entry() {
  return {.name = "q-effect",
          .title = "Effect of the charge q",
          .summary = "DSHN and DSHNLight over q on telegram and cora, and with q learned",
          .plan = q_effect_plan};
}

}  // namespace dshn::experiments
