// What a study was asked for.
#include "dshn/tune/study.hpp"
#include "fuzz/target.hpp"

namespace dshn::fuzz::study_request {
namespace {

std::vector<std::string> valid() {
  tune::StudyRequest request;
  request.settings.data = "deals";
  request.settings.set = {{"epochs", "5"}};
  request.settings.reading = {{"label_column", "y"}};
  request.seeds = 2;
  request.space = {{"q", {"0", "0.25"}, {"maps=trivial"}}};
  request.first = {{{{"q", "0"}}, "p.toml"}};
  request.metric = "accuracy";
  request.digests = {{"labels", "1a"}};
  const std::string old =
      R"({"data":"d","model":"m","splits":1,"seed":0,"device":"cpu","set":{},"sampler":"tpe",)"
      R"("halving":true,"eta":3,"first":{"q":"0"},"space":[{"name":"q","values":["0"],"idle_when":""}]})";
  return {request.to_text(), tune::StudyRequest().to_text(), old};
}

std::vector<std::string> malformed() {
  std::string metric = valid()[0];
  metric.replace(metric.find("\"accuracy\""), 10, "[1]");
  return {"", "{}", "[]", R"({"data": 1})", metric};
}

void read(std::string_view bytes) {
  const tune::StudyRequest request = tune::StudyRequest::from_text(std::string(bytes));
  const std::string text = request.to_text();
  require(tune::StudyRequest::from_text(text).to_text() == text, "what is written is read again");
  for (const int split : {0, 1, 1000}) static_cast<void>(request.seed_of_split(split));
  static_cast<void>(request.name_of(0));
}

}  // namespace

Target target() {
  return {"study_request", valid, malformed, read};
}

}  // namespace dshn::fuzz::study_request
