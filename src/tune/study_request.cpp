#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "dshn/base/error.hpp"
#include "dshn/tune/study.hpp"

namespace dshn::tune {

using nlohmann::ordered_json;

std::string StudyRequest::to_text() const {
  ordered_json lists = ordered_json::array();
  for (const Parameter& parameter : space)
    lists.push_back(
        {{"name", parameter.name}, {"values", parameter.values}, {"idle_when", parameter.idle_when}});
  return ordered_json{{"data", settings.data},
                      {"model", settings.model},
                      {"splits", settings.splits},
                      {"seed", settings.seed},
                      {"device", settings.device},
                      {"set", settings.set},
                      {"space", lists},
                      {"first", first},
                      {"first_from", first_from},
                      {"objective", objective},
                      {"sampler", sampler},
                      {"halving", halving},
                      {"eta", eta}}
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
    request.settings.device = document.at("device");
    request.settings.set = document.at("set").get<Assignments>();
    for (const ordered_json& list : document.at("space"))
      request.space.push_back(
          {list.at("name"), list.at("values").get<std::vector<std::string>>(), list.value("idle_when", "")});
    request.first = document.value("first", Assignments{});
    request.first_from = document.value("first_from", "");
    request.objective = document.value("objective", request.objective);
    request.sampler = document.at("sampler");
    request.halving = document.at("halving");
    request.eta = document.at("eta");
    return request;
  } catch (const nlohmann::json::exception& problem) {
    throw InvalidInput(fmt::format("study.sqlite: its request cannot be read: {}", problem.what()));
  }
}

train::Settings StudyRequest::trial_settings(const Assignments& set) const {
  train::Settings result = settings;
  for (const auto& [name, value] : set) result.set[name] = value;
  return result;
}

std::filesystem::path database_file(const std::filesystem::path& study) {
  return study / "study.sqlite";
}

std::filesystem::path trial_folder(const std::filesystem::path& study, int number) {
  return study / "trials" / fmt::format("{:04d}", number);
}

}  // namespace dshn::tune
