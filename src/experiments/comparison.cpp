#include "dshn/experiments/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "dshn/experiments/cell_figures.hpp"
#include "experiments/entries.hpp"

namespace dshn::experiments {
namespace {

using nlohmann::ordered_json;

/// Corrected probabilities below this are told apart.
constexpr double kLevel = 0.05;

struct Pair {
  const ordered_json& ours;
  const ordered_json& theirs;
};

std::string pair_title(const Pair& pair) {
  return fmt::format("{} - {}", title_of(pair.ours["model"].get<std::string>()),
                     title_of(pair.theirs["model"].get<std::string>()));
}

std::vector<Pair> pairs_of(const ordered_json& cells, const std::vector<std::string>& models) {
  std::vector<Pair> pairs;
  for (const ordered_json& ours : cells) {
    if (ours["model"] != models[0]) continue;
    for (const ordered_json& theirs : cells) {
      const bool wanted = models.size() == 2 ? theirs["model"] == models[1] : theirs["model"] != models[0];
      if (wanted && theirs["data"] == ours["data"] && theirs["column"] == ours["column"])
        pairs.push_back({ours, theirs});
    }
  }
  return pairs;
}

/// Why the two cannot be compared; empty when they can.
std::string objection(const Pair& pair) {
  for (const ordered_json* cell : {&pair.ours, &pair.theirs})
    if (split_figures(*cell).empty())
      return fmt::format("there are no figures of {}", (*cell)["row"].get<std::string>());
  const auto same = [](const SplitFigure& a, const SplitFigure& b) {
    return a.seed == b.seed && a.split == b.split;
  };
  const std::vector<SplitFigure> ours = split_figures(pair.ours);
  const std::vector<SplitFigure> theirs = split_figures(pair.theirs);
  if (!std::equal(ours.begin(), ours.end(), theirs.begin(), theirs.end(), same))
    return "they were not trained on the same splits of the same seeds";
  if (ours.size() == 1) return "one split tells nothing of chance";
  return test_per_train(pair.ours) ? "" : "the cell does not say how large the parts of its splits are";
}

/// Of a pair without objection; corrected for nothing but the overlap of splits yet.
ordered_json row_of(const Pair& pair) {
  const std::vector<SplitFigure> ours = split_figures(pair.ours);
  const std::vector<SplitFigure> theirs = split_figures(pair.theirs);
  std::vector<double> differences;
  for (std::size_t i = 0; i < ours.size(); ++i) differences.push_back(ours[i].test - theirs[i].test);
  const Sample sample = sample_of(differences);
  ordered_json row{{"data", pair.ours["data"]},
                   {"column", pair.ours["column"]},
                   {"model", pair.ours["model"]},
                   {"against", pair.theirs["model"]},
                   {"title", pair_title(pair)}};
  row.update(figure_json(sample, test_per_train(pair.ours)));
  row["p"] = estimate_mean(sample, *test_per_train(pair.ours))->p;
  return row;
}

void correct_for_number(ordered_json& rows) {
  std::vector<double> probabilities;
  for (const ordered_json& row : rows) probabilities.push_back(row["p"]);
  const std::vector<double> corrected = holm(probabilities);
  for (std::size_t i = 0; i < corrected.size(); ++i) {
    rows[i]["p_holm"] = corrected[i];
    if (corrected[i] >= kLevel)
      rows[i]["word"] = "not distinguishable";
    else
      rows[i]["word"] = rows[i]["mean"] > 0 ? "above" : "below";
  }
}

}  // namespace

void add_comparisons(ordered_json& document, const std::vector<std::string>& models) {
  ordered_json rows = ordered_json::array();
  for (const Pair& pair : pairs_of(document["cells"], models)) {
    if (const std::string why = objection(pair); why.empty())
      rows.push_back(row_of(pair));
    else
      document["left_out"].push_back(
          fmt::format("{}, {}: {}", pair_title(pair), pair.ours["column"].get<std::string>(), why));
  }
  correct_for_number(rows);
  document["comparisons"] = {{"models", models}, {"rows", rows}};
}

}  // namespace dshn::experiments
