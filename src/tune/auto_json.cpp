#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "dshn/base/error.hpp"
#include "dshn/io/json_shape.hpp"
#include "dshn/train/figures.hpp"
#include "dshn/tune/auto_search.hpp"

namespace dshn::tune {
namespace {

using io::Shape;
using nlohmann::ordered_json;

ordered_json candidate_json(const Candidate& candidate) {
  const Trial& trial = candidate.trial;
  const train::MeanStd figure = trial.figure();
  ordered_json out{{"number", trial.number},          {"model", candidate.model},
                   {"preset", candidate.preset},      {"searched", candidate.searched},
                   {"state", to_string(trial.state)}, {"set", trial.set},
                   {"validation", trial.validation},  {"seconds", candidate.seconds}};
  if (!trial.validation.empty()) out["mean"] = figure.mean;
  if (!trial.message.empty()) out["message"] = trial.message;
  return out;
}

TrialState state_of(const std::string& word) {
  for (const TrialState state :
       {TrialState::running, TrialState::completed, TrialState::pruned, TrialState::failed})
    if (to_string(state) == word) return state;
  throw InvalidInput(fmt::format("there is no state '{}'", word));
}

Candidate candidate_from(const ordered_json& document, std::size_t place) {
  Candidate candidate;
  candidate.model = document.at("model").get<std::string>();
  candidate.preset = document.at("preset").get<std::string>();
  candidate.searched = document.at("searched").get<bool>();
  candidate.seconds = document.at("seconds").get<double>();
  candidate.trial.number = static_cast<int>(place);
  candidate.trial.state = state_of(document.at("state").get<std::string>());
  candidate.trial.set = document.at("set").get<Assignments>();
  candidate.trial.validation = document.at("validation").get<std::vector<double>>();
  candidate.trial.message = document.value("message", "");
  return candidate;
}

/// What to_json writes; whether words mean anything is looked at one by one.
Shape state_shape() {
  const Shape options = Shape::map(Shape::text());
  const Shape entrant =
      Shape::object({{"model", Shape::text()}, {"set", options}, {"preset", Shape::text()}});
  const Shape request = Shape::object({{"data", Shape::text()},
                                       {"minutes", Shape::number()},
                                       {"splits", Shape::count()},
                                       {"seed", Shape::seed()},
                                       {"device", Shape::text()},
                                       {"set", options},
                                       {"reading", options},
                                       {"metric", Shape::text()},
                                       {"entrants", Shape::list(entrant)}});
  const Shape candidate = Shape::object({{"model", Shape::text()},
                                         {"preset", Shape::text()},
                                         {"searched", Shape::flag()},
                                         {"seconds", Shape::number()},
                                         {"state", Shape::text()},
                                         {"set", options},
                                         {"validation", Shape::list(Shape::number())},
                                         optional("message", Shape::text())});
  return Shape::object({{"request", request},
                        {"splits", Shape::count()},
                        {"seconds", Shape::number()},
                        {"finished", Shape::flag()},
                        {"candidates", Shape::list(candidate)}});
}

AutoState parsed(const ordered_json& document) {
  static const Shape shape = state_shape();
  if (const std::string fault = shape.fault(document); !fault.empty()) throw InvalidInput(fault);
  AutoState state;
  const ordered_json& asked = document.at("request");
  train::Settings& settings = state.request.settings;
  settings.data = asked.at("data").get<std::string>();
  settings.splits = asked.at("splits").get<int>();
  settings.seed = asked.at("seed").get<std::uint64_t>();
  settings.device = asked.at("device").get<std::string>();
  settings.set = asked.at("set").get<Assignments>();
  settings.reading = asked.at("reading").get<Assignments>();
  state.request.seconds = 60 * asked.at("minutes").get<double>();
  state.request.metric = train::find_metric(asked.at("metric").get<std::string>()).name;
  for (const ordered_json& entrant : asked.at("entrants"))
    state.request.entrants.push_back({entrant.at("model").get<std::string>(),
                                      entrant.at("set").get<Assignments>(),
                                      entrant.at("preset").get<std::string>()});
  state.board.splits = document.at("splits").get<int>();
  state.board.seconds = document.at("seconds").get<double>();
  state.board.finished = document.at("finished").get<bool>();
  for (const ordered_json& candidate : document.at("candidates"))
    state.board.candidates.push_back(candidate_from(candidate, state.board.candidates.size()));
  return state;
}

}  // namespace

ordered_json to_json(const AutoRequest& request, const AutoBoard& board) {
  const train::Settings& settings = request.settings;
  ordered_json entrants = ordered_json::array();
  for (const Entrant& entrant : request.entrants)
    entrants.push_back({{"model", entrant.model}, {"set", entrant.set}, {"preset", entrant.preset}});
  ordered_json candidates = ordered_json::array();
  for (const Candidate& candidate : board.candidates) candidates.push_back(candidate_json(candidate));
  const std::vector<int> ranked = board.ranked();
  return {{"request",
           {{"data", settings.data},
            {"minutes", request.seconds / 60},
            {"splits", settings.splits},
            {"seed", settings.seed},
            {"device", settings.device},
            {"set", settings.set},
            {"reading", settings.reading},
            {"metric", request.metric},
            {"entrants", entrants}}},
          {"splits", board.splits},
          {"seconds", board.seconds},
          {"finished", board.finished},
          {"winner", board.finished && !ranked.empty() ? ordered_json(ranked[0]) : ordered_json()},
          {"candidates", candidates}};
}

AutoState auto_from_json(const std::string& text, const std::string& where) {
  const ordered_json document = io::parse_json(text, where, "a search");
  try {
    return parsed(document);
  } catch (const ordered_json::exception&) {
    throw InvalidInput(fmt::format("{}: not what an automatic search wrote", where));
  } catch (const Error& error) {
    throw InvalidInput(fmt::format("{}: {}", where, error.what()));
  }
}

}  // namespace dshn::tune
