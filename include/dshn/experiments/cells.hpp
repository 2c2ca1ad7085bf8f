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

/// NAME, or NAME@name=value,...
std::string with_options(std::string name, const Assignments& set);

struct Cell {
  std::string data = {};
  std::string model = {};
  /// Options of this cell, above everything else.
  Assignments set = {};
  /// Whether a study may choose its options (Recipe::trials).
  bool search = false;
  /// Where it stands in the table.
  std::string row = {};
  std::string column = {};
  std::optional<PaperFigure> paper = {};

  /// DATA/MODEL with options: the same cell of several experiments is made once.
  std::string id() const;
};

/// How cells come about.
struct Recipe {
  int splits = 10;
  /// Trials of the study that chooses a cell's options, for every cell as many: the preset or the defaults
  /// first. 1: no study.
  int trials = 1;
  /// What a trial is tried on: so many splits, taken in turn from `search_seeds` seeds (StudyRequest::seeds).
  int search_splits = 10;
  std::uint64_t search_seed = 0;
  int search_seeds = 10;
  /// Of the study (dshn/tune/sampler.hpp): nearby suits few trials that begin at a preset.
  std::string sampler = "tpe";
  /// So many of the best trials are trained again, on as many splits of seeds that neither the search nor the
  /// table sees, before one is chosen; 0: none.
  int confirm = 0;
  /// The first of `seeds` seeds that are reported, each with splits and weights of its own.
  std::uint64_t seed = 0;
  int seeds = 1;
  std::string device = "cpu";
  /// Options of every run, whatever a trial draws: fewer epochs, say.
  Assignments set;
  /// Where presets/DATA/MODEL.toml are; empty for none.
  std::filesystem::path presets;
  /// Cells (cells/), their unfinished runs (runs/), studies (studies/) with their winners (presets/), and the
  /// tables go here.
  std::filesystem::path folder;
  /// Each data set is read once for all cells.
  std::shared_ptr<data::DatasetShelf> shelf = std::make_shared<data::DatasetShelf>();
  /// Take every cell that is stored, however it was made, and make none.
  bool as_stored = false;
  /// The command that asks for all this, for the heads of presets.
  std::string command;
  /// Cells that are made side by side, for the record: they share the machine while their seconds pass.
  int jobs = 1;
};

/// Version, commit, machine and date of what is made now.
nlohmann::ordered_json provenance(const std::string& device);

/// Options of DATA/MODEL.toml; nothing where there is no such file.
std::optional<Assignments> preset_of(const Recipe& recipe, const std::string& data, const std::string& model);

/// What is stored of a cell that was made as asked now (or anyhow: Recipe::as_stored), with its figures. Cells of
/// other seeds are other cells, in files of their own. A cell whose training failed has `failure`.
std::optional<nlohmann::ordered_json> stored_cell(const Recipe& recipe, const Cell& cell);

/// The cells to be made: not in the folder yet, made otherwise, or failed. InvalidInput, by name, where the data have
/// changed since one of the others was made.
std::vector<Cell> missing_cells(const Recipe& recipe, const std::vector<Cell>& cells);

/// Makes one cell and stores it, also when it fails. What a killed call left behind is used.
void make_cell(const Recipe& recipe, const Cell& cell, const std::function<bool()>& should_stop);

/// Everything that decides what a cell comes to, beside its preset; without a cell, what all cells share.
nlohmann::ordered_json request_of(const Recipe& recipe, const Cell& cell);
nlohmann::ordered_json request_of(const Recipe& recipe);

/// UsageError where a study would see the validation part of a split that is reported: a cell that is searched on
/// drawn splits needs other seeds for that, and for its confirmation, than those of the table.
void check_seeds(const Recipe& recipe, const std::vector<Cell>& cells);

}  // namespace dshn::experiments
