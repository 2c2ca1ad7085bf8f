// The memory that a training is said to need beside the memory of tensors that it takes, for every model on five shapes.
// Usage: estimates [MODEL...]
#include <torch/torch.h>

#include <cstdio>
#include <string>
#include <vector>

#include "dshn/base/error.hpp"
#include "dshn/hypergraph/generators.hpp"
#include "dshn/models/registry.hpp"
#include "dshn/train/memory_guard.hpp"
#include "dshn/train/run.hpp"
#include "tensor_memory.hpp"

namespace dshn::bench {
namespace {

struct Shape {
  const char* name;
  Index nodes;
  Index hyperedges;
  double mean_size;
  Index features;
  Index classes;
};

constexpr Shape kShapes[] = {{"like cora", 2700, 2700, 4, 300, 7},
                             {"many hyperedges", 2000, 20000, 3, 16, 5},
                             {"large hyperedges", 4000, 400, 60, 32, 5},
                             {"many nodes", 20000, 5000, 6, 8, 5},
                             {"wide features", 1500, 1000, 5, 2000, 20}};

std::shared_ptr<const data::Dataset> made(const Shape& shape) {
  RandomOptions options;
  options.nodes = shape.nodes;
  options.hyperedges = shape.hyperedges;
  options.size_law = SizeLaw::poisson;
  options.mean_size = shape.mean_size;
  data::Dataset dataset;
  dataset.name = shape.name;
  dataset.hypergraph = random_hypergraph(options);
  for (const std::int64_t label : random_labels(shape.nodes, shape.classes, 1))
    dataset.labels.push_back(static_cast<Index>(label));
  dataset.class_count = shape.classes;
  dataset.node_features =
      data::Features(shape.nodes, shape.features, random_features(shape.nodes, shape.features, 2));
  return std::make_shared<const data::Dataset>(std::move(dataset));
}

/// Measured from where the estimate is asked for: the data, prepared for the model, are there.
void measure(const Shape& shape, const std::string& model) {
  train::Settings settings;
  settings.model = model;
  settings.splits = 1;
  settings.device = "cpu";
  settings.set = {{"epochs", "3"}};
  const train::Experiment experiment(made(shape), settings);
  experiment.prepared();
  TensorMemory& memory = TensorMemory::instance();
  const auto before = static_cast<double>(memory.restart());
  train::run_in_memory(experiment);
  const double measured = static_cast<double>(memory.peak()) - before;
  const double said = train::estimated_bytes(experiment);
  std::printf("%-18s %-20s estimate %8.1f MB, measured %8.1f MB, ratio %.2f\n", shape.name, model.c_str(),
              said / 1e6, measured / 1e6, said / measured);
  std::fflush(stdout);
}

}  // namespace
}  // namespace dshn::bench

int main(int argc, char** argv) {
  dshn::bench::TensorMemory::instance();
  const std::vector<std::string> wanted(argv + 1, argv + argc);
  try {
    for (const dshn::models::ModelEntry& entry : dshn::models::all_models()) {
      const bool asked =
          wanted.empty() || std::find(wanted.begin(), wanted.end(), entry.name) != wanted.end();
      if (entry.is_rule || !asked) continue;
      for (const auto& shape : dshn::bench::kShapes) dshn::bench::measure(shape, entry.name);
    }
  } catch (const dshn::Error& error) {
    std::fprintf(stderr, "estimates: %s\n", error.what());
    return 1;
  }
  return 0;
}
