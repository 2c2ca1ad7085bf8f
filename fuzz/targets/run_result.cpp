// result.json and metrics.jsonl of a run folder.
#include <nlohmann/json.hpp>

#include "dshn/io/run_files.hpp"
#include "dshn/report/page.hpp"
#include "dshn/report/run_folder.hpp"
#include "fuzz/target.hpp"

namespace dshn::fuzz::run_result {
namespace {

const std::string kResult = R"({"model": "dshn", "data": "texas", "metric": "accuracy", "protocol": "1 split",
 "seed": 0, "set": {"q": "0.1"}, "class_names": ["a", "b"],
 "splits": [{"split": 0, "test": 0.5, "val": 0.5, "train": 1.0, "best_epoch": 2, "epochs": 3,
             "test_figures": {"confusion": [[1, 1], [0, 2]]}}],
 "test": {"mean": 0.5, "std": 0.0}, "val": {"mean": 0.5, "std": 0.0},
 "parameters": 10, "epoch_ms": 1.5, "peak_mb": 20, "device": "cpu"})";
const std::string kEpochs = R"({"split":0,"epoch":1,"loss":0.5,"train":0.5,"val":null,"val_loss":1}
{"split":1,"epoch":1}
)";

std::vector<std::string> valid() {
  return {joined(kResult, kEpochs), joined(kResult, "")};
}

std::vector<std::string> malformed() {
  std::string sizes = kResult;
  sizes.replace(sizes.find("[0, 2]"), 6, "[0]");
  return {
      "", "{}", joined(sizes, ""), joined(kResult, "{}"), joined(kResult, "[[["), joined(kResult + "x", "")};
}

void read(std::string_view bytes) {
  const auto [result, epochs] = two_files(bytes);
  file_with(result, io::kResultFile);
  file_with(epochs, io::kMetricsFile);
  const std::string shown = report::script_json(report::read_run(scratch()));
  require(shown.find_first_of("<>&") == std::string::npos, "a page's data cannot end its script");
}

}  // namespace

Target target() {
  return {"run_result", valid, malformed, read};
}

}  // namespace dshn::fuzz::run_result
