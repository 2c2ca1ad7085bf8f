#include <torch/version.h>

#include <ctime>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "dshn/experiments/cells.hpp"

namespace dshn::experiments {
namespace {

std::string cpu_model() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown";
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[16];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%d", &parts)};
}

}  // namespace

nlohmann::ordered_json provenance(const std::string& device) {
  return {{"version", DSHN_VERSION},
          {"commit", DSHN_COMMIT},
          {"libtorch", TORCH_VERSION},
          {"cpu", cpu_model()},
          {"device", device},
          {"cores", static_cast<int>(std::thread::hardware_concurrency())},
          {"date", today()}};
}

}  // namespace dshn::experiments
