// Memory of a training before its first epoch, beside what the data themselves take.
// Usage: memory_bench DATA...       (names, folders or files, as dshn train --data takes them)
#include <torch/torch.h>

#include <cstdio>
#include <fstream>
#include <string>

#include "dshn/base/error.hpp"
#include "dshn/data/open.hpp"
#include "dshn/train/experiment.hpp"

namespace dshn::bench {
namespace {

constexpr double kMiB = 1024.0 * 1024.0;

/// The largest resident size so far.
double peak_bytes() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    double kibibytes = 0;
    if (word == "VmHWM:" && status >> kibibytes) return kibibytes * 1024;
  }
  return 0;
}

void measure(const std::string& what) {
  at::ones({1}).add(1);  // libtorch's own pages
  const double before = peak_bytes();
  const auto dataset = std::make_shared<const data::Dataset>(data::open(what));
  const double opened = peak_bytes() - before;
  train::Settings settings;
  settings.data = what;
  settings.splits = 1;
  settings.device = "cpu";
  const train::Experiment experiment(dataset, settings);
  experiment.prepared();
  const double ready = peak_bytes() - before;
  const auto views = static_cast<double>(dataset->hypergraph.memory_bytes());
  const auto features = static_cast<double>(dataset->node_features.memory_bytes());
  std::printf(
      "%s: views %.1f MiB, features %.1f MiB; peak beside the program's own %.1f MiB: opened %.1f, "
      "before the first epoch %.1f MiB, %.2f times the data\n",
      what.c_str(), views / kMiB, features / kMiB, before / kMiB, opened / kMiB, ready / kMiB,
      ready / (views + features));
}

}  // namespace
}  // namespace dshn::bench

int main(int argc, char** argv) {
  try {
    for (int i = 1; i < argc; ++i) dshn::bench::measure(argv[i]);
  } catch (const dshn::Error& error) {
    std::fprintf(stderr, "memory_bench: %s\n", error.what());
    return 1;
  }
  return argc > 1 ? 0 : 2;
}
