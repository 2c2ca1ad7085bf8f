// Documents of ours, held against their shapes.
#include "dshn/io/json_shape.hpp"

#include <nlohmann/json.hpp>

#include "dshn/base/error.hpp"
#include "dshn/io/table_files.hpp"
#include "fuzz/target.hpp"

namespace dshn::fuzz::json_shape {
namespace {

using nlohmann::ordered_json;

std::vector<std::string> valid() {
  return {
      R"({"cells": [{"row": "a", "column": "b", "data": "x", "model": "y", "test": {"mean": 0.5, "std": 0.1, "n": 2}}]})",
      R"({"columns": [{"key": "a", "title": "A"}], "rows": [{"a": [1, "x", null]}]})", "{}"};
}

std::vector<std::string> malformed() {
  return {"",
          "[]",
          "{\"cells\": 1}",
          "{\"cells\": [{\"test\": {\"mean\": \"x\"}}]}",
          std::string(65, '['),
          "{\"a\": 1, \"a\": 2",
          "\xef\xbb\xbf{"};
}

void read(std::string_view bytes) {
  const ordered_json document = io::parse_json(std::string(bytes), "file", "a test");
  require(io::parse_json(document.dump(), "file", "a test") == document, "what is written is read again");
  static const std::vector<io::Shape> others{io::cell_shape(), io::figure_shape(), io::Shape::any(),
                                             io::Shape::map(io::Shape::list(io::Shape::seed()))};
  for (const io::Shape& shape : others) static_cast<void>(shape.fault(document));
  static const io::Shape table = io::table_shape();
  if (const std::string fault = table.fault(document); !fault.empty()) throw InvalidInput(fault);
}

}  // namespace

Target target() {
  return {"json_shape", valid, malformed, read};
}

}  // namespace dshn::fuzz::json_shape
