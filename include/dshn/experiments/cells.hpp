#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "dshn/base/options.hpp"
#include "dshn/data/dataset_shelf.hpp"
#include "dshn/experiments/paper_results.hpp"

/// Cells: a model on a data set with some options, trained on several splits and stored once.
namespace dshn::experiments {

struct Cell {
  std::string data = {};
  std::string model = {};
  /// Options of this cell, above everything else.
  Assignments set = {};
  /// Whether configurations may be drawn for it (Recipe::trials).
  bool search = false;
  /// Where it stands in the table.
  std::string row = {};
  std::string column = {};
  std::optional<PaperFigure> paper = {};

  /// DATA/MODEL, or DATA/MODEL@name=value,... : the same cell of several experiments is made once.
  std::string id() const;
};

/// How cells come about.
struct Recipe {
  int splits = 10;
  /// Configurations tried for a cell on `search_splits` splits: the preset or the defaults first, then
  /// seeded draws from the declared search space. The best mean validation figure is trained on all splits.
  int trials = 1;
  int search_splits = 2;
  /// The first of `seeds` seeds, each with splits and weights of its own. Options are chosen with the first.
  std::uint64_t seed = 0;
  int seeds = 1;
  std::string device = "cpu";
  /// Options of every run, whatever a trial draws: fewer epochs, say.
  Assignments set;
  /// Where presets/DATA/MODEL.toml are; empty for none.
  std::filesystem::path presets;
  /// Cells (cells/), their unfinished runs (runs/) and the tables go here.
  std::filesystem::path folder;
  /// Each data set is read once for all cells.
  std::shared_ptr<data::DatasetShelf> shelf = std::make_shared<data::DatasetShelf>();
  /// Take every cell that is stored, however it was made, and make none.
  bool as_stored = false;
};

/// "0", or "100-109": the seeds of every cell.
std::string seed_range(std::uint64_t first, int count);

/// Version, commit, machine and date of what is made now.
nlohmann::ordered_json provenance(const std::string& device);

/// Options of DATA/MODEL.toml; nothing where there is no such file.
std::optional<Assignments> preset_of(const Recipe& recipe, const std::string& data, const std::string& model);

/// What is stored of a cell that was made as asked now (or anyhow: Recipe::as_stored), with its figures
/// (cell_figures.hpp). Cells of other seeds are other cells, in files of their own. A cell whose training
/// failed has `failure`.
std::optional<nlohmann::ordered_json> stored_cell(const Recipe& recipe, const Cell& cell);

/// The cells to be made: not in the folder yet, made otherwise, or failed.
std::vector<Cell> missing_cells(const Recipe& recipe, const std::vector<Cell>& cells);

/// Makes one cell and stores it, also when it fails. What a killed call left behind is used.
void make_cell(const Recipe& recipe, const Cell& cell, const std::function<bool()>& should_stop);

/// Everything that decides what a cell comes to, beside its preset.
nlohmann::ordered_json request_of(const Recipe& recipe, const Cell& cell);

}  // namespace dshn::experiments
