// The paper's figure of accuracy against the number of layers, DSHN beside HGNN on Telegram.
#include <map>

#include "experiments/entries.hpp"

namespace dshn::experiments {
namespace {

/// Read from the figure: 1 to 7 layers.
const std::map<std::string, std::vector<double>> kPaperByDepth{
    {"dshn", {65.00, 75.38, 81.54, 87.69, 85.38, 86.15, 88.27}},
    {"hgnn", {52.76, 51.54, 48.65, 45.38, 41.35, 38.85, 36.35}}};

Plan depth_plan(const ReproductionRequest&) {
  Plan plan;
  for (const auto& [model, paper] : kPaperByDepth) {
    for (std::size_t layers = 1; layers <= paper.size(); ++layers) {
      plan.cells.push_back({.data = "telegram",
                            .model = model,
                            .set = {{"layers", std::to_string(layers)}},
                            .row = title_of(model),
                            .column = std::to_string(layers),
                            .paper = PaperFigure{.mean = paper[layers - 1]}});
    }
  }
  plan.notes.emplace_back(
      "test accuracy in per cent on telegram by number of layers; in brackets the paper's figure");
  return plan;
}

}  // namespace

Reproduction depth_entry() {
  return {.name = "depth",
          .title = "Effect of depth",
          .summary = "DSHN against HGNN with 1 to 7 layers on telegram",
          .plan = depth_plan};
}

}  // namespace dshn::experiments
