#pragma once

#include <fstream>
#include <nlohmann/json.hpp>

#include "support/message_of.hpp"
#include "support/temporary_folder.hpp"

namespace dshn::report {

inline void put(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path) << text;
}

using test::message_of;

/// The least that result.json of a run holds.
inline nlohmann::ordered_json small_result() {
  return nlohmann::ordered_json::parse(R"({
    "model": "dshn", "data": "texas", "task": "node classification", "metric": "accuracy",
    "protocol": "1 split", "seed": 0, "set": {"q": "0.1"},
    "splits": [{"split": 0, "test": 0.5, "val": 0.5, "train": 1.0, "best_epoch": 2, "epochs": 3,
                "test_figures": {"confusion": [[1, 1], [0, 2]], "classes": []}}],
    "test": {"mean": 0.5, "std": 0.0}, "val": {"mean": 0.5, "std": 0.0},
    "parameters": 10, "epoch_ms": 1.5, "peak_mb": 20, "device": "cpu", "run": "somewhere"})");
}

}  // namespace dshn::report
