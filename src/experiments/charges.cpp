// The paper's table of chosen charges, beside ours: those of the presets, and where learned ones end.
#include <algorithm>
#include <map>

#include "dshn/data/registry.hpp"
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

Plan charges_plan(const ReproductionRequest& request) {
  Plan plan;
  for (const PaperCharges& paper : kPaperCharges) {
    const std::string data = paper.data;
    if (request.quick && request.data.empty() && data != "telegram" && data != "synthetic-io10") continue;
    for (const std::string model : {"dshn", "dshn-light"}) {
      for (const std::string learned : {"learn", "learn-per-layer"})
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
  return plan;
}

/// Means over splits of what was learned, an entry per layer.
ordered_json mean_charges(const ordered_json& document, const std::string& data, const std::string& model,
                          const std::string& column) {
  for (const ordered_json& cell : document["cells"]) {
    if (cell["data"] != data || cell["model"] != model || cell["column"] != column ||
        !cell.contains("charges"))
      continue;
    std::vector<double> sums(cell["charges"][0].size(), 0.0);
    for (const ordered_json& split : cell["charges"])
      for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += split[i].get<double>();
    for (double& sum : sums) sum /= static_cast<double>(cell["charges"].size());
    return sums;
  }
  return nullptr;
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
  document["columns"] = {
      text_column("data", "data"),       text_column("model", "model"),
      number_column("paper", "paper"),   number_column("preset", "preset"),
      number_column("learn", "learned"), number_column("learn-per-layer", "learned per layer")};
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
      for (const std::string learned : {"learn", "learn-per-layer"})
        row[learned] = mean_charges(document, data, model, learned);
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
