#pragma once

#include "fuzz/target.hpp"

/// Documents of experiments, for the targets that read them.
namespace dshn::fuzz {

inline const std::string kCell = R"({"data": "texas", "model": "dshn", "row": "DSHN", "column": "Texas",
 "test": {"mean": 0.8, "std": 0.05, "n": 2}, "validation": {"mean": 0.7, "std": 0.1}, "seconds": 1.5,
 "paper": {"mean": 0.79, "std": 0.04}, "options": {"q": "0.1"}, "charges": [[0.1], [0.2]], "side_by_side": 2,
 "request": {"splits": 2, "trials": 0, "search_splits": 0, "seed": 0, "set": {}, "seeds": 1},
 "splits": [{"split": 0, "seed": 0, "test": 0.8, "validation": 0.7}, {"split": 1, "seed": 0, "test": 0.8}]})";

inline std::vector<std::string> table_documents() {
  return {
      R"({"name": "t", "title": "T", "cells": [)" + kCell + "]}",
      R"({"name": "t", "title": "T", "columns": [{"key": "a", "title": "A"}], "rows": [{"a": 1}, {"a": "x"}]})"};
}

inline std::vector<std::string> broken_documents() {
  return {"",
          "{}",
          "[]",
          R"({"cells": 1})",
          R"({"cells": [1]})",
          R"({"cells": [{"test": {"mean": "x"}}]})",
          R"({"cells": [)"};
}

}  // namespace dshn::fuzz
