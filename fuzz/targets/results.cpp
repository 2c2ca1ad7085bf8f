// A table of an experiment, as text and as a picture.
#include <nlohmann/json.hpp>

#include "dshn/experiments/render.hpp"
#include "fuzz/target.hpp"
#include "fuzz/targets/documents.hpp"

namespace dshn::fuzz::results {
namespace {

void read(std::string_view bytes) {
  static_cast<void>(experiments::page_of_file(file_with(bytes, "table.json")));
}

}  // namespace

Target target() {
  return {"results", table_documents, broken_documents, read};
}

}  // namespace dshn::fuzz::results
