#include "dshn/experiments/cell_figures.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "dshn/experiments/paper_results.hpp"

namespace dshn::experiments {
namespace {

using nlohmann::ordered_json;

/// A figure of every split; empty where some have none.
std::vector<double> values_of(const ordered_json& cell, const char* key) {
  std::vector<double> values;
  for (const ordered_json& split : cell.value("splits", ordered_json::array())) {
    if (!split.is_object() || !split.contains(key)) return {};
    values.push_back(split.at(key));
  }
  return values;
}

/// A figure that was stored without its splits, of version 0.1.
Sample of_population(const ordered_json& figure, int n) {
  Sample sample{.n = n, .mean = figure.at("mean")};
  if (n > 1) sample.std = figure.at("std").get<double>() * std::sqrt(n / (n - 1.0));
  return sample;
}

Sample sample_of_figure(const ordered_json& figure, int n) {
  Sample sample{.n = n, .mean = figure.at("mean")};
  if (figure.contains("std")) sample.std = figure["std"].get<double>();
  return sample;
}

void add_figure(ordered_json& cell, const char* key, std::optional<double> test_per_train) {
  const std::vector<double> values = values_of(cell, key);
  if (!values.empty()) {
    cell[key] = figure_json(sample_of(values), test_per_train);
  } else if (cell.contains(key) && cell[key].contains("std") && !cell[key].contains("n") &&
             cell.contains("request")) {
    cell[key] = figure_json(of_population(cell[key], cell.at("request").at("splits")));
  }
}

std::string sign_of(double difference) {
  if (difference == 0) return "same mean";
  return difference > 0 ? "mean above" : "mean below";
}

/// The paper's figure is taken for a mean of ten splits with the deviation that it prints, drawn as ours are.
void add_difference(ordered_json& cell) {
  cell.erase("difference");
  const ordered_json paper = cell.value("paper", ordered_json());
  if (!paper.is_object() || !cell.contains("test")) return;
  const Sample ours = sample_of_figure(cell["test"], cell["test"].value("n", 0));
  const Sample theirs = sample_of_figure(paper, kPaperSplits);
  const double means = ours.mean - theirs.mean;
  cell["difference"] = {{"mean", means}, {"sign", sign_of(means)}};
  const auto share = test_per_train(cell);
  const auto difference = share ? estimate_difference(ours, theirs, *share) : std::nullopt;
  if (!difference) return;
  cell["difference"]["interval"] = {difference->low, difference->high};
  cell["difference"]["word"] = word_for(*difference);
}

}  // namespace

std::vector<SplitFigure> split_figures(const ordered_json& cell) {
  std::vector<SplitFigure> figures;
  const std::uint64_t seed = cell.contains("request") ? cell["request"].value("seed", std::uint64_t{0}) : 0;
  for (const ordered_json& split : cell.value("splits", ordered_json::array())) {
    if (split.is_object())
      figures.push_back({split.at("seed"), split.at("split"), split.at("test")});
    else  // of version 0.1: the test figures of one seed
      figures.push_back({seed, static_cast<int>(figures.size()), split});
  }
  std::sort(figures.begin(), figures.end(), [](const SplitFigure& a, const SplitFigure& b) {
    return std::pair(a.seed, a.split) < std::pair(b.seed, b.split);
  });
  return figures;
}

std::optional<double> test_per_train(const ordered_json& cell) {
  if (!cell.contains("items") || cell["items"].at("train") <= 0) return std::nullopt;
  return cell["items"].at("test").get<double>() / cell["items"].at("train").get<double>();
}

ordered_json figure_json(const Sample& sample, std::optional<double> test_per_train) {
  ordered_json figure{{"mean", sample.mean}};
  if (sample.std) figure["std"] = *sample.std;
  figure["n"] = sample.n;
  const auto mean = test_per_train ? estimate_mean(sample, *test_per_train) : std::nullopt;
  if (mean) figure["interval"] = {mean->low, mean->high};
  return figure;
}

ordered_json with_figures(ordered_json cell) {
  add_figure(cell, "test", test_per_train(cell));
  add_figure(cell, "validation", std::nullopt);  // what was chosen by it is not estimated by it
  add_difference(cell);
  return cell;
}

}  // namespace dshn::experiments
