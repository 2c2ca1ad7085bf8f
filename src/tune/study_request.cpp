#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "dshn/base/error.hpp"
#include "dshn/data/digests.hpp"
#include "dshn/io/json_shape.hpp"
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
  for (const ordered_json& trial : first) trials.push_back({trial["set"].get<Assignments>(), trial["from"]});
  return trials;
}

/// Until 0.2 there was one at most, and the empty word for none.
std::vector<std::string> idle_conditions(const ordered_json& parameter) {
  const ordered_json when = parameter.value("idle_when", ordered_json::array());
  if (when.is_array()) return when;
  const auto word = when.get<std::string>();
  return word.empty() ? std::vector<std::string>{} : std::vector<std::string>{word};
}

/// What to_text writes; what is optional was not written by 0.1.
io::Shape request_shape() {
  using io::Shape;
  const Shape options = Shape::map(Shape::text());
  const Shape parameter =
      Shape::object({{"name", Shape::text()},
                     {"values", Shape::list(Shape::text(), 1)},
                     optional("idle_when", Shape::either(Shape::list(Shape::text()), Shape::text()))});
  const Shape first = Shape::list(Shape::object({{"set", options}, {"from", Shape::text()}}));
  return Shape::object({{"data", Shape::text()},
                        {"model", Shape::text()},
                        {"splits", Shape::count()},
                        {"seed", Shape::seed()},
                        {"device", Shape::text()},
                        {"set", options},
                        {"space", Shape::list(parameter)},
                        {"sampler", Shape::text()},
                        {"halving", Shape::flag()},
                        {"eta", Shape::integer(2, 1000)},
                        optional("seeds", Shape::integer(1, 1'000'000)),
                        optional("reading", options),
                        optional("first", Shape::either(first, options)),
                        optional("first_from", Shape::text()),
                        optional("objective", Shape::text()),
                        optional("confirm", Shape::count()),
                        optional("confirm_splits", Shape::count()),
                        optional("confirms", Shape::flag()),
                        optional("metric", Shape::text()),
                        optional("digests", options)});
}

}  // namespace

void StudyRequest::judge_by(const std::string& metric_of_experiment) {
  check_searchable(metric_of_experiment);
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
  ordered_json document{{"data", settings.data},
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
                        {"metric", metric}};
  if (!digests.empty()) document["digests"] = digests;
  return document.dump();
}

StudyRequest StudyRequest::from_text(const std::string& text) {
  static const io::Shape shape = request_shape();
  const ordered_json document = io::parse_json(text, "the study's request", "a search");
  if (const std::string fault = shape.fault(document); !fault.empty())
    throw InvalidInput(fmt::format("the study's request cannot be read: {}", fault));
  StudyRequest request;
  request.settings.data = document["data"];
  request.settings.model = document["model"];
  request.settings.splits = document["splits"];
  request.settings.seed = document["seed"];
  request.seeds = document.value("seeds", 1);
  request.settings.device = document["device"];
  request.settings.set = document["set"].get<Assignments>();
  request.settings.reading = document.value("reading", Assignments{});
  for (const ordered_json& list : document["space"])
    request.space.push_back(
        {list["name"], list["values"].get<std::vector<std::string>>(), idle_conditions(list)});
  request.first = first_trials(document);
  request.objective = document.value("objective", request.objective);
  request.sampler = document["sampler"];
  request.halving = document["halving"];
  request.eta = document["eta"];
  request.confirm = document.value("confirm", 0);
  request.confirm_splits = document.value("confirm_splits", 0);
  request.confirms = document.value("confirms", false);
  request.metric = document.value("metric", "");
  request.digests = document.value("digests", Assignments{});
  return request;
}

void check_data(const StudyRequest& request, const data::Dataset& dataset, const StudyPlace& study) {
  if (request.digests.empty()) return;
  const std::string what = data::difference(request.digests, data::named_digests(dataset));
  if (what.empty()) return;
  throw InvalidInput(
      fmt::format("{}: {} since the study began on {}", study.text(), what, dataset.name),
      study.store.is_on_server() ? Topic{"server-study-data-changed"} : Topic{"study-data-changed"});
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
  const bool known = confirms && number < static_cast<int>(first.size());
  return known ? first[number].from : std::to_string(number);
}

std::string seed_range(std::uint64_t first, int count) {
  const std::uint64_t last = first + static_cast<std::uint64_t>(count - 1);
  return count == 1 ? std::to_string(first) : fmt::format("{}-{}", first, last);
}

}  // namespace dshn::tune
