#include "experiments/comparison.hpp"

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
  return fmt::format("{} - {}", pair.ours["row"].get<std::string>(), pair.theirs["row"].get<std::string>());
}

/// Cells of the same column and data set of which is_pair says that they are one.
template <typename IsPair>
std::vector<Pair> pairs_of(const ordered_json& cells, const IsPair& is_pair) {
  std::vector<Pair> pairs;
  for (const ordered_json& ours : cells) {
    for (const ordered_json& theirs : cells) {
      if (theirs["data"] == ours["data"] && theirs["column"] == ours["column"] && is_pair(ours, theirs))
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

/// Rows of all pairs that can be compared; the others are named in "left_out".
ordered_json rows_of(const std::vector<Pair>& pairs, ordered_json& document) {
  ordered_json rows = ordered_json::array();
  for (const Pair& pair : pairs) {
    if (const std::string why = objection(pair); why.empty())
      rows.push_back(row_of(pair));
    else
      document["left_out"].push_back(
          fmt::format("{}, {}: {}", pair_title(pair), pair.ours["column"].get<std::string>(), why));
  }
  correct_for_number(rows);
  return rows;
}

}  // namespace

void add_comparisons(ordered_json& document, const std::vector<std::string>& models) {
  const auto is_pair = [&](const ordered_json& ours, const ordered_json& theirs) {
    if (ours["model"] != models[0]) return false;
    return models.size() == 2 ? theirs["model"] == models[1] : theirs["model"] != models[0];
  };
  const ordered_json rows = rows_of(pairs_of(document["cells"], is_pair), document);
  document["comparisons"] = {{"models", models}, {"rows", rows}};
}

void add_row_comparisons(ordered_json& document, const std::vector<RowPair>& pairs) {
  const auto is_pair = [&](const ordered_json& ours, const ordered_json& theirs) {
    return std::find(pairs.begin(), pairs.end(), RowPair{ours["row"], theirs["row"]}) != pairs.end();
  };
  const ordered_json rows = rows_of(pairs_of(document["cells"], is_pair), document);
  document["comparisons"] = {{"rows", rows}};
}

}  // namespace dshn::experiments
