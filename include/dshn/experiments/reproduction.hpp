#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "dshn/experiments/cells.hpp"
#include "dshn/experiments/comparison.hpp"

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
  /// Two models to be compared on the same splits, or one, with every other of the table (comparison.hpp).
  std::vector<std::string> compare;
};

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
  /// Whether configurations may be drawn for its cells (Recipe::trials).
  bool searches = false;
  /// Rows that are always compared with each other (comparison.hpp).
  std::vector<RowPair> compared = {};
};

const std::vector<Reproduction>& all_reproductions();

/// UsageError with the nearest name when there is none.
const Reproduction& find_reproduction(std::string_view name);

/// The request as it is carried out: `quick` has changed splits, epochs and patience. UsageError for models
/// and devices that there are not, and for models that cannot be compared.
ReproductionRequest effective(ReproductionRequest request);

/// The plan with the request's data sets and models only, without options that a model refuses; sets whose
/// files are not here are named in it. UsageError where a model to be compared is not in the table.
Plan feasible_plan(const Reproduction& reproduction, const ReproductionRequest& request);

/// What OUT/NAME.json holds: figures, the paper's beside them, and where they come from. `command` is the
/// command line that makes it again.
nlohmann::ordered_json document_of(const Reproduction& reproduction, const ReproductionRequest& request,
                                   const Plan& plan, const std::string& command);

}  // namespace dshn::experiments
