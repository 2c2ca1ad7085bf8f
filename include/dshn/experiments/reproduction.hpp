#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dshn/experiments/cells.hpp"

/// The paper's tables and figures by name, ours beside the paper's.
namespace dshn::experiments {

/// What somebody asks for.
struct ReproductionRequest {
  Recipe recipe;
  /// Two splits of at most 60 epochs, and less of what takes long.
  bool quick = false;
  /// Only these; empty for all.
  std::vector<std::string> data;
  std::vector<std::string> models;
  /// Options of every cell, beside what the experiment itself sets.
  Assignments set;
  /// Two models to be compared on the same splits, or one, with every other of the table.
  std::vector<std::string> compare;
};

/// Titles of two rows.
using RowPair = std::pair<std::string, std::string>;

/// What an experiment trains, and what it says of it.
struct Plan {
  std::vector<Cell> cells;
  /// Data sets and cells that are left out, each with the reason and what to do about it.
  std::vector<std::string> missing;
  std::vector<std::string> left_out;
  std::vector<std::string> notes;
  /// Data sets of the cells whose files are not here.
  std::vector<std::string> absent;

  /// Cells that can be made here.
  std::vector<Cell> present() const;
};

/// One table or figure.
struct Reproduction {
  std::string name = {};     // as `dshn reproduce` takes it
  std::string title = {};    // heading of the table
  std::string summary = {};  // one line for the list
  /// Cells in the order of the table; may be absent where nothing is trained.
  std::function<Plan(const ReproductionRequest&)> plan = {};
  /// Adds "columns" and "rows" to a document that holds the plan's cells; absent for plain tables of cells.
  std::function<void(const ReproductionRequest&, nlohmann::ordered_json&)> rows = {};
  /// Whether studies may choose the options of its cells (Recipe::trials).
  bool searches = false;
  /// Rows that are always compared with each other.
  std::vector<RowPair> compared = {};
};

const std::vector<Reproduction>& all_reproductions();

/// UsageError with the nearest name when there is none.
const Reproduction& find_reproduction(std::string_view name);

/// The request as it is carried out: `quick` has changed splits, epochs and patience. UsageError for models
/// and devices that there are not, for models that cannot be compared, and for more trials to confirm than
/// there are.
ReproductionRequest effective(ReproductionRequest request);

/// The experiment's plan with the request's own options in every cell. UsageError for an option that the
/// experiment itself sets.
Plan plan_of(const Reproduction& reproduction, const ReproductionRequest& request);

/// What its files are called: the experiment's name, with the request's own options.
std::string document_name(const Reproduction& reproduction, const ReproductionRequest& request);

/// The plan with the request's data sets and models only, without options that a model refuses; sets whose
/// files are not here are named in it. UsageError where a model to be compared is not in the table, and where
/// options would be chosen on what is reported (check_seeds).
Plan feasible_plan(const Reproduction& reproduction, const ReproductionRequest& request);

/// What OUT/NAME.json holds: figures, the paper's beside them, and where they come from. `command` is the
/// command line that makes it again.
nlohmann::ordered_json document_of(const Reproduction& reproduction, const ReproductionRequest& request,
                                   const Plan& plan, const std::string& command);

}  // namespace dshn::experiments
