// A table of an experiment, as the page shows it.
#include <nlohmann/json.hpp>

#include "dshn/report/page.hpp"
#include "dshn/report/results.hpp"
#include "fuzz/target.hpp"
#include "fuzz/targets/documents.hpp"

namespace dshn::fuzz::results_page {
namespace {

void read(std::string_view bytes) {
  const auto table = report::read_results(file_with(bytes, "table.json"));
  static_cast<void>(report::script_json(report::shown_results(table)));
}

}  // namespace

Target target() {
  return {"results_page", table_documents, broken_documents, read};
}

}  // namespace dshn::fuzz::results_page
