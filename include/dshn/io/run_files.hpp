#pragma once

#include <filesystem>
#include <string>

/// Names of the files in a run folder: what `train` writes and `report` reads.
namespace dshn::io {

inline constexpr const char* kConfigFile = "config.toml";     // first, and before training
inline constexpr const char* kAutoFile = "auto.json";         // how its options were found, where by search
inline constexpr const char* kInputsFile = "inputs.json";     // what the run knows of its data
inline constexpr const char* kMetricsFile = "metrics.jsonl";  // also in the folder of each split
inline constexpr const char* kResultFile = "result.json";     // last: the run is finished
inline constexpr const char* kPredictionsFile = "predictions.csv";  // of the first split
inline constexpr const char* kModelFile = "model.safetensors";      // of a split
inline constexpr const char* kStateFile = "state.safetensors";      // of a split

inline constexpr const char* kPartsFolder = "parts";  // while ranks train: what each of them has

inline std::filesystem::path split_folder(const std::filesystem::path& run, int split) {
  return run / ((split < 10 ? "split-0" : "split-") + std::to_string(split));
}

}  // namespace dshn::io
