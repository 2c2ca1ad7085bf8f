// study.json, as the page shows it.
#include <nlohmann/json.hpp>

#include "dshn/report/page.hpp"
#include "dshn/report/study.hpp"
#include "fuzz/target.hpp"

namespace dshn::fuzz::study_page {
namespace {

const std::string kSummary = R"({"command": "dshn tune",
 "request": {"data": "deals", "model": "dshn", "splits": 2, "seed": 1, "device": "cpu", "set": {"epochs": "5"},
             "sampler": "tpe", "objective": "best", "space": [{"name": "q", "values": ["0", "0.25"], "idle_when": []}]},
 "trials_asked": 2, "best": {"number": 1, "state": "completed", "set": {"q": "0.25"}},
 "importance": [{"name": "q", "share": null}],
 "trials": [{"number": 1, "state": "completed", "splits": 2, "validation": {"mean": 0.75, "std": 0.1},
             "attempts": 1, "set": {"q": "0.25"}},
            {"number": 0, "state": "failed", "splits": 0, "validation": null, "attempts": 1, "set": {"q": "0"},
             "message": "diverged"}]})";

std::vector<std::string> valid() {
  return {kSummary};
}

std::vector<std::string> malformed() {
  return {"", "{}", "[]", kSummary.substr(0, 100), R"({"trials": [{}]})"};
}

void read(std::string_view bytes) {
  file_with(bytes, "study.json");
  static_cast<void>(report::script_json(report::shown_study(report::read_study(scratch()), scratch())));
}

}  // namespace

Target target() {
  return {"study_page", valid, malformed, read};
}

}  // namespace dshn::fuzz::study_page
