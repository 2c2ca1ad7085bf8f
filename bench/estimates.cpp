// The memory that a training is said to need beside the memory that it takes, for every model on five shapes. Each is
// measured in a process of its own, after a probe has brought in libtorch's pages: by how much the resident memory rises
// above what it was when the estimate was asked for.
// Usage: estimates [MODEL...]
#include <malloc.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "dshn/base/error.hpp"
#include "dshn/base/system_memory.hpp"
#include "dshn/hypergraph/generators.hpp"
#include "dshn/models/registry.hpp"
#include "dshn/ops/keep_freed_memory.hpp"
#include "dshn/train/memory_guard.hpp"
#include "dshn/train/split_run.hpp"

namespace dshn::bench {
namespace {

constexpr double kMiB = 1024.0 * 1024.0;
constexpr double kPromised = 0.25;
/// Pages that libtorch, its threads and the libraries of products take for themselves: no estimate knows them.
constexpr double kOwnPages = 8;

struct Shape {
  const char* name;
  Index nodes;
  Index hyperedges;
  double mean_size;
  Index features;
  Index classes;
};

constexpr Shape kShapes[] = {{"small sparse", 20000, 10000, 3, 100, 7},
                             {"wide features", 4000, 4000, 5, 3000, 20},
                             {"many hyperedges", 5000, 60000, 3, 16, 5},
                             {"large hyperedges", 20000, 1000, 100, 32, 5},
                             {"1 million incidences", 100000, 200000, 5, 16, 5}};

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

/// The line of the process's status that begins with this word, in MiB.
double status_mib(const std::string& word) {
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(word)) return std::strtod(line.c_str() + word.size(), nullptr) / 1024;
  throw Failure("/proc/self/status: has no line " + word);
}

/// In the process of one measurement: prints both numbers, in MiB.
void measure(const Shape& shape, const std::string& model) {
  ops::keep_freed_memory();  // as the program does
  train::Settings settings;
  settings.model = model;
  settings.splits = 1;
  settings.device = "cpu";
  if (!models::find_model(model).is_rule) settings.set = {{"epochs", "3"}};
  const train::Experiment experiment(made(shape), settings);
  const double said = experiment.needed_bytes() / kMiB;
  malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << "5";  // the highest so far is forgotten
  const double before = status_mib("VmRSS:");
  train::run_splits({{&experiment, 0, {}}}, {});
  std::printf("%f %f\n", said, status_mib("VmHWM:") - before);
}

struct Measured {
  double said = 0;
  double taken = 0;
};

Measured in_a_process_of_its_own(std::size_t shape, const std::string& model) {
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  const std::string command = "'" + self + "' --one " + std::to_string(shape) + " " + model;
  std::FILE* output = popen(command.c_str(), "r");
  if (output == nullptr) throw Failure("no process can be started");
  Measured numbers;
  const int read = std::fscanf(output, "%lf %lf", &numbers.said, &numbers.taken);
  if (pclose(output) != 0 || read != 2) throw Failure(model + ": the measurement failed");
  return numbers;
}

/// Whether the estimate is as near as promised.
bool compare(std::size_t shape, const std::string& model) {
  const auto [said, taken] = in_a_process_of_its_own(shape, model);
  const bool near = std::abs(said - taken) <= std::max(kPromised * taken, kOwnPages);
  std::printf("| %-20s | %-18s | %8.1f | %8.1f | %5.2f | %s |\n", kShapes[shape].name, model.c_str(), said,
              taken, said / taken, near ? "  " : "no");
  std::fflush(stdout);
  return near;
}

int compare_all(const std::vector<std::string>& wanted) {
  std::printf("| shape | model | said, MiB | taken, MiB | ratio | within 25 %% or %.0f MiB |\n", kOwnPages);
  std::printf("| --- | --- | --- | --- | --- | --- |\n");
  int outside = 0;
  for (const models::ModelEntry& entry : models::all_models()) {
    const bool asked = wanted.empty() || std::find(wanted.begin(), wanted.end(), entry.name) != wanted.end();
    for (std::size_t shape = 0; asked && shape < std::size(kShapes); ++shape)
      outside += compare(shape, entry.name) ? 0 : 1;
  }
  std::printf("outside: %d\n", outside);
  return outside == 0 ? 0 : 1;
}

}  // namespace
}  // namespace dshn::bench

int main(int argc, char** argv) {
  using namespace dshn::bench;
  const std::vector<std::string> words(argv + 1, argv + argc);
  try {
    if (words.size() != 3 || words[0] != "--one") return compare_all(words);
    measure(kShapes[std::stoul(words[1]) % std::size(kShapes)], words[2]);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "estimates: %s\n", error.what());
    return 2;
  }
}
