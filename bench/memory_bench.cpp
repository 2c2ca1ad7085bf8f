// Memory of a training before its first epoch, beside what the data themselves take.
// Usage: memory_bench DATA...       (names, folders or files, as dshn train --data takes them)
#include <torch/torch.h>

#include <cstdio>
#include <string>

#include "dshn/base/error.hpp"
#include "dshn/base/system_memory.hpp"
#include "dshn/data/open.hpp"
#include "dshn/train/experiment.hpp"

namespace dshn::bench {
namespace {

constexpr double kMiB = 1024.0 * 1024.0;

void measure(const std::string& what) {
  at::ones({1}).add(1);  // libtorch's own pages
  const double before = peak_mib();
  const auto dataset = std::make_shared<const data::Dataset>(data::open(what));
  const double opened = peak_mib() - before;
  train::Settings settings;
  settings.data = what;
  settings.splits = 1;
  settings.device = "cpu";
  const train::Experiment experiment(dataset, settings);
  experiment.prepared();
  const double ready = peak_mib() - before;
  const auto views = static_cast<double>(dataset->hypergraph.memory_bytes()) / kMiB;
  const auto features = static_cast<double>(dataset->node_features.memory_bytes()) / kMiB;
  std::printf(
      "%s: views %.1f MiB, features %.1f MiB; peak beside the program's own %.1f MiB: opened %.1f, "
      "before the first epoch %.1f MiB, %.2f times the data\n",
      what.c_str(), views, features, before, opened, ready, ready / (views + features));
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
