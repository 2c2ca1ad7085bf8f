// The paper's table of chosen charges, beside ours: those of the presets, and where learned ones end.
#include <algorithm>
#include <map>

#include "dshn/data/registry.hpp"
#include "dshn/experiments/significance.hpp"
#include "dshn/models/registry.hpp"
#include "experiments/entries.hpp"

namespace dshn::experiments {
namespace {

using nlohmann::ordered_json;

struct PaperCharges {
  const char* data;
  std::optional<double> dshn;  // none where it ran out of memory
  double light;
};

const std::vector<PaperCharges> kPaperCharges{
    {"roman-empire", std::nullopt, 0.20},
    {"squirrel", 0.05, 0.05},
    {"email-eu", 0.25, 0.20},
    {"telegram", 0.25, 0.20},
    {"chameleon", 0.20, 0.15},
    {"email-enron", 0.05, 0.15},
    {"cornell", 0.25, 0.15},
    {"wisconsin", 0.25, 0.25},
    {"amazon-ratings", std::nullopt, 0.00},
    {"texas", 0.25, 0.15},
    {"citeseer", 0.00, 0.00},
    {"cora", 0.00, 0.00},
    {"synthetic-io10", 0.25, 0.10},
    {"synthetic-io30", 0.10, 0.10},
    {"synthetic-io50", 0.10, 0.10},
};

const std::vector<std::string> kLearned{"learn", "learn-per-layer", "learn-per-hyperedge"};

Plan charges_plan(const ReproductionRequest& request) {
  Plan plan;
  for (const PaperCharges& paper : kPaperCharges) {
    const std::string data = paper.data;
    if (request.quick && request.data.empty() && data != "telegram" && data != "synthetic-io10") continue;
    for (const std::string model : {"dshn", "dshn-light"}) {
      for (const std::string& learned : kLearned)
        plan.cells.push_back({.data = data,
                              .model = model,
                              .set = {{"q", learned}},
                              .row = title_of(model) + " on " + data,
                              .column = learned});
    }
  }
  if (request.quick && request.data.empty())
    plan.left_out.emplace_back(
        "quick: learned charges of sets but telegram and synthetic-io10, unless sets are named");
  plan.notes.emplace_back(
      "preset: the charge of presets/DATA/MODEL.toml; learned charges start at 0.25, means over splits");
  plan.notes.emplace_back(
      "learned per hyperedge: mean and standard deviation (spread) over the directed hyperedges in the last "
      "layer; only with diagonal or trivial maps");
  return plan;
}

/// The cell of the document that learned its charge so; null where there is none.
const ordered_json* cell_in(const ordered_json& document, const std::string& data, const std::string& model,
                            const std::string& column) {
  for (const ordered_json& cell : document["cells"])
    if (cell["data"] == data && cell["model"] == model && cell["column"] == column) return &cell;
  return nullptr;
}

/// Means over splits of what was learned, an entry per layer.
ordered_json mean_charges(const ordered_json* cell) {
  if (cell == nullptr || !cell->contains("charges")) return nullptr;
  const ordered_json& charges = cell->at("charges");
  const auto differs = [&](const ordered_json& split) { return split.size() != charges[0].size(); };
  if (charges.empty() || std::any_of(charges.begin(), charges.end(), differs)) return nullptr;
  std::vector<double> sums(charges[0].size(), 0.0);
  for (const ordered_json& split : charges)
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += split[i].get<double>();
  for (double& sum : sums) sum /= static_cast<double>(charges.size());
  return sums;
}

/// The same of how far charges of hyperedges lie apart.
ordered_json mean_spread(const ordered_json* cell) {
  if (cell == nullptr || !cell->contains("charge_spread")) return nullptr;
  return sample_of(cell->at("charge_spread").get<std::vector<double>>()).mean;
}

ordered_json preset_charge(const Recipe& recipe, const std::string& data, const std::string& model) {
  const auto preset = preset_of(recipe, data, model);
  if (!preset) return nullptr;
  const Options options(models::find_model(model).options, [&] {
    Assignments charge;
    if (const auto q = preset->find("q"); q != preset->end()) charge.insert(*q);
    return charge;
  }());
  return options.text("q");
}

void charges_rows(const ReproductionRequest& request, ordered_json& document) {
  document["columns"] = {text_column("data", "data"),
                         text_column("model", "model"),
                         number_column("paper", "paper"),
                         number_column("preset", "preset"),
                         number_column("learn", "learned"),
                         number_column("learn-per-layer", "learned per layer"),
                         number_column("learn-per-hyperedge", "learned per hyperedge"),
                         number_column("spread", "spread")};
  document["rows"] = ordered_json::array();
  for (const PaperCharges& paper : kPaperCharges) {
    const std::string data = paper.data;
    if (!request.data.empty() &&
        std::find(request.data.begin(), request.data.end(), data) == request.data.end())
      continue;
    for (const std::string model : {"dshn", "dshn-light"}) {
      ordered_json row{{"data", data}, {"model", title_of(model)}};
      row["paper"] = nullptr;
      if (model == "dshn-light")
        row["paper"] = paper.light;
      else if (paper.dshn)
        row["paper"] = *paper.dshn;
      row["preset"] = preset_charge(request.recipe, data, model);
      for (const std::string& learned : kLearned)
        row[learned] = mean_charges(cell_in(document, data, model, learned));
      row["spread"] = mean_spread(cell_in(document, data, model, "learn-per-hyperedge"));
      document["rows"].push_back(row);
    }
  }
}

}  // namespace

Reproduction charges_entry() {
  return {.name = "charges",
          .title = "Chosen charges",
          .summary = "the paper's charges beside those of the presets and those that are learned",
          .plan = charges_plan,
          .rows = charges_rows};
}

}  // namespace dshn::experiments
