// The paper's figure of accuracy against the stalk dimension on Telegram.
#include "experiments/entries.hpp"

namespace dshn::experiments {
namespace {

/// Read from the figure: d = 1 to 8.
const std::vector<double> kPaperByStalk{83.08, 82.50, 85.58, 86.92, 86.15, 87.31, 86.81, 89.23};

Plan stalk_plan(const ReproductionRequest&) {
  Plan plan;
  for (std::size_t d = 1; d <= kPaperByStalk.size(); ++d) {
    plan.cells.push_back({.data = "telegram",
                          .model = "dshn",
                          .set = {{"d", std::to_string(d)}},
                          .row = title_of("dshn"),
                          .column = std::to_string(d),
                          .paper = PaperFigure{.mean = kPaperByStalk[d - 1]}});
  }
  plan.notes.emplace_back(
      "test accuracy in per cent on telegram by stalk dimension d; in brackets the paper's figure");
  return plan;
}

}  // namespace

Reproduction stalk_entry() {
  return {.name = "stalk",
          .title = "Effect of the stalk dimension",
          .summary = "DSHN with d = 1 to 8 on telegram",
          .plan = stalk_plan};
}

}  // namespace dshn::experiments
