#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "dshn/experiments/points.hpp"

/// The paper's tables and figures by name, ours beside the paper's.
namespace dshn::experiments {

/// What somebody asks for.
struct Request {
  Making making;
  /// Two splits of at most 60 epochs, and less of what takes long.
  bool quick = false;
  /// Only these; empty for all.
  std::vector<std::string> data;
  std::vector<std::string> models;
};

/// What an experiment trains, and what it says of it.
struct Plan {
  std::vector<Point> points;
  /// Data sets and points that are left out, each with the reason and what to do about it.
  std::vector<std::string> missing;
  std::vector<std::string> left_out;
  std::vector<std::string> notes;
  /// Data sets of the points whose files are not here.
  std::vector<std::string> absent;

  /// Points that can be made here.
  std::vector<Point> present() const;
};

/// One table or figure.
struct Reproduction {
  std::string name = {};     // as `dshn reproduce` takes it
  std::string title = {};    // heading of the table
  std::string summary = {};  // one line for the list
  /// Points in the order of the table; may be absent where nothing is trained.
  std::function<Plan(const Request&)> plan = {};
  /// Adds "columns" and "rows" to a document that holds the plan's cells; absent for plain tables of cells.
  std::function<void(const Request&, nlohmann::ordered_json&)> rows = {};
  /// Whether configurations may be drawn for its points (Making::trials).
  bool searches = false;
};

const std::vector<Reproduction>& all_reproductions();

/// UsageError with the nearest name when there is none.
const Reproduction& find_reproduction(std::string_view name);

/// The request as it is carried out: `quick` has changed splits, epochs and patience. UsageError for models
/// and devices that there are not.
Request effective(Request request);

/// The plan with the request's data sets and models only, without options that a model refuses; sets whose
/// files are not here are named in it.
Plan feasible_plan(const Reproduction& reproduction, const Request& request);

/// What OUT/NAME.json holds: figures, the paper's beside them, and where they come from. `command` is the
/// command line that makes it again.
nlohmann::ordered_json document_of(const Reproduction& reproduction, const Request& request, const Plan& plan,
                                   const std::string& command);

}  // namespace dshn::experiments
