#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "dshn/base/error.hpp"
#include "dshn/train/figures.hpp"
#include "dshn/tune/study.hpp"

namespace dshn::tune {

using nlohmann::ordered_json;

namespace {

std::vector<FirstTrial> first_trials(const ordered_json& document) {
  std::vector<FirstTrial> trials;
  const ordered_json first = document.value("first", ordered_json::array());
  if (first.is_object()) {  // of version 0.1, which knew one at most
    if (!first.empty()) trials.push_back({first.get<Assignments>(), document.value("first_from", "")});
    return trials;
  }
  for (const ordered_json& trial : first)
    trials.push_back({trial.at("set").get<Assignments>(), trial.at("from")});
  return trials;
}

/// Until 0.2 there was one at most, and the empty word for none.
std::vector<std::string> idle_conditions(const ordered_json& parameter) {
  const ordered_json when = parameter.value("idle_when", ordered_json::array());
  if (when.is_array()) return when;
  const auto word = when.get<std::string>();
  return word.empty() ? std::vector<std::string>{} : std::vector<std::string>{word};
}

}  // namespace

void StudyRequest::judge_by(const std::string& metric_of_experiment) {
  if (train::find_metric(metric_of_experiment).lower_is_better)
    throw UsageError(
        fmt::format("metric {}: a search looks for the largest figure; r2 puts trials in the order of their "
                    "squared errors",
                    metric_of_experiment));
  metric = metric_of_experiment;
}

std::string StudyRequest::figure_text(const train::MeanStd& figure) const {
  const train::Metric& of = train::find_metric(metric.empty() ? "accuracy" : metric);
  return fmt::format("{} ± {}", train::figure_text(of, figure.mean), train::figure_text(of, figure.std));
}

std::string StudyRequest::to_text() const {
  ordered_json lists = ordered_json::array();
  for (const Parameter& parameter : space)
    lists.push_back(
        {{"name", parameter.name}, {"values", parameter.values}, {"idle_when", parameter.idle_when}});
  ordered_json starts = ordered_json::array();
  for (const FirstTrial& trial : first) starts.push_back({{"set", trial.set}, {"from", trial.from}});
  return ordered_json{{"data", settings.data},
                      {"model", settings.model},
                      {"splits", settings.splits},
                      {"seed", settings.seed},
                      {"seeds", seeds},
                      {"device", settings.device},
                      {"set", settings.set},
                      {"reading", settings.reading},
                      {"space", lists},
                      {"first", starts},
                      {"objective", objective},
                      {"sampler", sampler},
                      {"halving", halving},
                      {"eta", eta},
                      {"confirm", confirm},
                      {"confirm_splits", confirm_splits},
                      {"confirms", confirms},
                      {"metric", metric}}
      .dump();
}

StudyRequest StudyRequest::from_text(const std::string& text) {
  try {
    const ordered_json document = ordered_json::parse(text);
    StudyRequest request;
    request.settings.data = document.at("data");
    request.settings.model = document.at("model");
    request.settings.splits = document.at("splits");
    request.settings.seed = document.at("seed");
    request.seeds = document.value("seeds", 1);
    request.settings.device = document.at("device");
    request.settings.set = document.at("set").get<Assignments>();
    request.settings.reading = document.value("reading", Assignments{});
    for (const ordered_json& list : document.at("space"))
      request.space.push_back(
          {list.at("name"), list.at("values").get<std::vector<std::string>>(), idle_conditions(list)});
    request.first = first_trials(document);
    request.objective = document.value("objective", request.objective);
    request.sampler = document.at("sampler");
    request.halving = document.at("halving");
    request.eta = document.at("eta");
    request.confirm = document.value("confirm", 0);
    request.confirm_splits = document.value("confirm_splits", 0);
    request.confirms = document.value("confirms", false);
    request.metric = document.value("metric", "");
    return request;
  } catch (const nlohmann::json::exception& problem) {
    throw InvalidInput(fmt::format("the study's request cannot be read: {}", problem.what()));
  }
}

train::Settings StudyRequest::trial_settings(const Assignments& set) const {
  train::Settings result = settings;
  for (const auto& [name, value] : set) result.set[name] = value;
  return result;
}

std::uint64_t StudyRequest::seed_of_split(int split) const {
  return settings.seed + static_cast<std::uint64_t>(split % seeds);
}

std::string StudyRequest::name_of(int number) const {
  return confirms ? first.at(number).from : std::to_string(number);
}

std::string seed_range(std::uint64_t first, int count) {
  const std::uint64_t last = first + static_cast<std::uint64_t>(count - 1);
  return count == 1 ? std::to_string(first) : fmt::format("{}-{}", first, last);
}

}  // namespace dshn::tune
