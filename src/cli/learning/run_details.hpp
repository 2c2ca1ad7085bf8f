#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/learning/explanation.hpp"
#include "dshn/data/dataset_shelf.hpp"
#include "dshn/report/columns.hpp"
#include "dshn/train/settings.hpp"

namespace dshn::cli {

/// What a page shows beyond the files of a run: the run's data set is opened again and its first split's
/// weights are applied to it. A data set that several runs share is opened once.
class RunDetails {
 public:
  /// `explained`: the names of items whose predictions are explained.
  explicit RunDetails(std::vector<std::string> explained) : explained_(std::move(explained)) {}

  /// representation, spectrum, predictions, explanations and the place of the hypergraph in hypergraphs(); where one
  /// cannot be had, {"missing": why}.
  nlohmann::ordered_json of(const std::filesystem::path& run);

  const nlohmann::ordered_json& hypergraphs() const { return hypergraphs_; }

 private:
  struct Shown {
    report::Excerpt excerpt;
    std::size_t place = 0;
  };

  const Shown& shown(const data::Dataset& dataset);
  void add_drawing(nlohmann::ordered_json& result, const data::Dataset& dataset,
                   const report::Predictions& predictions);
  nlohmann::ordered_json explanations(const std::function<RunModel()>& given) const;

  std::vector<std::string> explained_;
  data::DatasetShelf shelf_;
  std::map<const data::Dataset*, Shown> shown_;
  nlohmann::ordered_json hypergraphs_ = nlohmann::ordered_json::array();
};

}  // namespace dshn::cli
