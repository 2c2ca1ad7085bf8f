#include "dshn/experiments/reproduction.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "dshn/base/error.hpp"
#include "dshn/base/spelling.hpp"
#include "dshn/data/catalog.hpp"
#include "dshn/data/open.hpp"
#include "dshn/models/registry.hpp"
#include "dshn/train/experiment.hpp"
#include "experiments/entries.hpp"

namespace dshn::experiments {
namespace {

using nlohmann::ordered_json;

bool wanted(const std::vector<std::string>& only, const std::string& name) {
  return only.empty() || std::find(only.begin(), only.end(), name) != only.end();
}

/// What is wrong with the point's options; empty when nothing is.
std::string objection(const Making& making, const Point& point) {
  train::Settings settings;
  settings.data = point.data;
  settings.model = point.model;
  settings.set = preset_of(making, point.data, point.model).value_or(Assignments{});
  for (const auto& [name, value] : making.set) settings.set[name] = value;
  for (const auto& [name, value] : point.set) settings.set[name] = value;
  try {
    settings.model_options();
    settings.training();
    return "";
  } catch (const UsageError& error) {
    return error.what();
  }
}

ordered_json paper_json(const std::optional<PaperFigure>& figure) {
  if (!figure) return nullptr;
  if (figure->out_of_memory) return "out of memory";
  ordered_json out{{"mean", figure->mean}};
  if (figure->std) out["std"] = *figure->std;
  return out;
}

/// What is stored of a point, or that there is nothing, with its place in the table.
ordered_json cell_of(const Making& making, const Point& point) {
  ordered_json cell{
      {"row", point.row}, {"column", point.column}, {"data", point.data}, {"model", point.model}};
  cell["options"] = point.set;
  if (const auto stored = stored_point(making, point)) cell.update(*stored);
  cell["paper"] = paper_json(point.paper);
  return cell;
}

/// Said on every quick table.
ordered_json quick_meaning(const Reproduction& reproduction, const Request& request) {
  if (!request.quick) return nullptr;
  return reproduction.plan ? fmt::format("{} splits of at most 60 epochs", request.making.splits)
                           : "nothing is trained, times are of fewer steps";
}

void append_once(std::vector<std::string>& lines, const std::string& line) {
  if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
}

}  // namespace

const std::string& title_of(const std::string& model) {
  return models::find_model(model).title;
}

bool is_there(const std::string& data) {
  if (data::find_entry(data) != nullptr && data::locate(data)) return true;
  try {
    data::open(data, {});
    return true;
  } catch (const InvalidInput&) {
    return false;
  }
}

std::string missing_line(const std::string& data) {
  const data::Entry* entry = data::find_entry(data);
  if (entry == nullptr) return fmt::format("{} is not here", data);
  switch (entry->source.availability) {
    case data::Availability::download:
      return fmt::format("{} is not here; get it with: dshn data fetch {}", data, data);
    case data::Availability::manual:
      return fmt::format(
          "{} is not here and cannot be fetched: {}; put its folder into DSHN_DATA_DIR; it is at {}", data,
          entry->source.remark, entry->source.home);
    default:
      return fmt::format("{} is not here and cannot be had: {}", data, entry->source.remark);
  }
}

ordered_json number_column(const char* key, const char* title, int decimals) {
  return {{"key", key}, {"title", title}, {"decimals", decimals}};
}

ordered_json text_column(const char* key, const char* title) {
  return {{"key", key}, {"title", title}, {"text", true}};
}

const std::vector<Reproduction>& all_reproductions() {
  static const std::vector<Reproduction> all{statistics_entry(),
                                             cost_entry(),
                                             synthetic_entry(),
                                             charges_entry(),
                                             q_effect_entry(),
                                             depth_entry(),
                                             stalk_entry(),
                                             maps_entry(),
                                             hyperlinks_entry(),
                                             hyperedges_entry(),
                                             equal_parameters_entry(),
                                             real_world_entry()};
  return all;
}

const Reproduction& find_reproduction(std::string_view name) {
  std::vector<std::string> names;
  for (const Reproduction& entry : all_reproductions()) {
    if (entry.name == name) return entry;
    names.push_back(entry.name);
  }
  const auto near = nearest(name, names);
  throw UsageError(fmt::format("there is no experiment '{}'{}; 'dshn reproduce --list' names them all", name,
                               near ? fmt::format("; did you mean {}?", *near) : ""));
}

std::vector<Point> Plan::present() const {
  std::vector<Point> here;
  for (const Point& point : points)
    if (std::find(absent.begin(), absent.end(), point.data) == absent.end()) here.push_back(point);
  return here;
}

Request effective(Request request) {
  train::choose_device(request.making.device);
  for (const std::string& model : request.models) models::find_model(model);
  if (request.quick) {
    request.making.splits = std::min(request.making.splits, 2);
    request.making.set["epochs"] = "60";
    request.making.set["patience"] = "30";
  }
  return request;
}

Plan feasible_plan(const Reproduction& reproduction, const Request& request) {
  if (!reproduction.plan) return {};
  Plan plan = reproduction.plan(request);
  std::vector<Point> points;
  for (const Point& point : plan.points) {
    if (!wanted(request.data, point.data) || !wanted(request.models, point.model)) continue;
    const bool gathered = request.making.as_stored && stored_point(request.making, point);
    if (!gathered && !is_there(point.data)) {
      append_once(plan.missing, missing_line(point.data));
      append_once(plan.absent, point.data);
    } else if (const std::string why = objection(request.making, point); !why.empty()) {
      plan.left_out.push_back(fmt::format("{}: {}", point.id(), why));
      continue;
    }
    points.push_back(point);
  }
  plan.points = std::move(points);
  return plan;
}

ordered_json document_of(const Reproduction& reproduction, const Request& request, const Plan& plan,
                         const std::string& command) {
  ordered_json document{{"name", reproduction.name},
                        {"table", reproduction.name},  // as the report calls it
                        {"title", reproduction.title},
                        {"quick", request.quick},
                        {"quick_means", quick_meaning(reproduction, request)},
                        {"provenance", {{"command", command}}},
                        {"request", request_of(request.making, Point{.search = reproduction.searches})},
                        {"missing", plan.missing},
                        {"left_out", plan.left_out},
                        {"notes", plan.notes}};
  document["provenance"].update(provenance(request.making.device));
  if (reproduction.plan) {
    document["cells"] = ordered_json::array();
    for (const Point& point : plan.points) document["cells"].push_back(cell_of(request.making, point));
  }
  if (reproduction.rows) reproduction.rows(request, document);
  return document;
}

}  // namespace dshn::experiments
