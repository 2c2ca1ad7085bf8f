// Beyond the paper: what each part of the model is worth, the other options chosen anew for both sides.
#include "dshn/data/registry.hpp"
#include "experiments/entries.hpp"

namespace dshn::experiments {
namespace {

struct Variant {
  std::string name;
  Assignments set;
  std::string light_name = {};  // of DSHNLight, where that is another
};

const std::vector<Variant>& variants() {
  static const std::vector<Variant> all{
      {"as it is", {}},
      {"q = 0", {{"q", "0"}}},
      {"learned maps", {{"maps", "diagonal"}}, "maps without training"},
      {"trivial maps", {{"maps", "trivial"}}},
      {"D_V + I", {{"add_identity", "true"}}},
      {"D_V", {{"add_identity", "false"}}},
      // With trivial maps there would be nothing to pool for.
      {"sum of members", {{"hyperedge_features", "members-sum"}, {"maps", "diagonal"}}},
      {"mean of members", {{"hyperedge_features", "members-mean"}, {"maps", "diagonal"}}}};
  return all;
}

std::string row_title(const std::string& model, const Variant& variant) {
  const bool renamed = model == "dshn-light" && !variant.light_name.empty();
  return title_of(model) + ", " + (renamed ? variant.light_name : variant.name);
}

Plan ablation_plan(const ReproductionRequest& request) {
  Plan plan;
  for (const std::string model : {"dshn", "dshn-light"}) {
    for (const Variant& variant : variants()) {
      for (const data::Entry& entry : data::registry()) {
        const std::string name(entry.name);
        if (entry.task != data::Task::node_classification || !has_paper_results(name)) continue;
        if (request.quick && request.data.empty() && name != "telegram") continue;
        plan.cells.push_back({.data = name,
                              .model = model,
                              .set = variant.set,
                              .search = true,
                              .row = row_title(model, variant),
                              .column = name});
      }
    }
  }
  if (request.quick && request.data.empty())
    plan.left_out.emplace_back("quick: all sets but telegram, unless sets are named");
  plan.notes.emplace_back("test accuracy in per cent, mean ± standard deviation over splits and seeds");
  plan.notes.emplace_back(
      "one part is held; the other options are the preset's, or the best of as many trials for every cell");
  plan.notes.emplace_back("sums and means are compared with diagonal maps, which are made of them");
  return plan;
}

std::vector<RowPair> compared() {
  std::vector<RowPair> pairs;
  for (const std::string model : {"dshn", "dshn-light"})
    for (std::size_t i = 0; i + 1 < variants().size(); i += 2)
      pairs.emplace_back(row_title(model, variants()[i]), row_title(model, variants()[i + 1]));
  return pairs;
}

}  // namespace

Reproduction ablation_entry() {
  return {
      .name = "ablation",
      .title = "What each part is worth",
      .summary = "maps, charge, degrees and pooling of DSHN, held and compared in pairs (beyond the paper)",
      .plan = ablation_plan,
      .searches = true,
      .compared = compared()};
}

}  // namespace dshn::experiments
