#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "dshn/models/options.hpp"

/// Tables of models against data sets, ours beside the paper's.
namespace dshn::experiments {

/// What a table holds and how each of its cells comes about.
struct Comparison {
  std::string name;
  std::vector<std::string> data;
  std::vector<std::string> models;
  int splits = 10;
  /// Configurations tried for a cell on `search_splits` splits: the preset or the defaults first, then seeded
  /// draws from the declared search space. The best mean validation figure is trained on all splits.
  int trials = 1;
  int search_splits = 2;
  std::uint64_t seed = 0;
  std::string device = "cpu";
  /// Options of every run, whatever a trial draws: fewer epochs, say.
  models::Assignments set;
  /// Where presets/DATA/MODEL.toml are; empty for none.
  std::filesystem::path presets;
  /// Cells, their runs and the table go here.
  std::filesystem::path folder;
};

struct CellName {
  std::string data;
  std::string model;
};

/// `real-world` (the paper's twelve sets) or `synthetic` (its three), with all models. UsageError for other
/// names.
Comparison named_comparison(const std::string& name);

/// The cells that are not in the folder yet, or were made otherwise. Sets whose files are absent are left out
/// and named in `absent`.
std::vector<CellName> missing_cells(const Comparison& comparison, std::vector<std::string>& absent);

/// Makes one cell and stores it. What a killed call left behind is used.
void make_cell(const Comparison& comparison, const CellName& cell, const std::function<bool()>& should_stop);

/// All cells that are there, with the paper's figures: what NAME.json holds.
nlohmann::ordered_json collect(const Comparison& comparison, const std::vector<std::string>& absent);

/// The collected cells as a table in Markdown: a row per model, a column per data set.
std::string markdown(const nlohmann::ordered_json& collected);

}  // namespace dshn::experiments
