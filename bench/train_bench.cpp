// Where an epoch of training goes: matrix products, the sheaf operator, dropout, the rest. Generated data of
// the shapes of the paper's sets, the default model, everything that `dshn train` does between two epochs.
#include <benchmark/benchmark.h>
#include <torch/torch.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>

#include "dshn/base/random.hpp"
#include "dshn/hypergraph/generators.hpp"
#include "dshn/io/data_files.hpp"
#include "dshn/io/load.hpp"
#include "dshn/train/split_run.hpp"
#include "learning_main.hpp"
#include "operator_times.hpp"

namespace dshn::bench {
namespace {

struct DataShape {
  const char* name;
  Index nodes;
  Index hyperedges;
  double mean_size;
  Index features;
  Index classes;
};

// The paper's table of data sets.
constexpr DataShape kShapes[] = {{"Telegram", 245, 183, 49.7, 1, 4},
                                 {"Cora", 2708, 1565, 4.47, 1433, 7},
                                 {"email-EU", 986, 787, 43.36, 1, 10},
                                 {"Roman-empire", 22662, 22662, 2.73, 300, 18}};

/// A data set folder that is gone with the object.
class GeneratedSet {
 public:
  explicit GeneratedSet(const DataShape& shape)
      : path_(std::filesystem::temp_directory_path() / ("dshn_train_bench_" + std::string(shape.name))) {
    std::filesystem::remove_all(path_);
    RandomOptions options;
    options.nodes = shape.nodes;
    options.hyperedges = shape.hyperedges;
    options.mean_size = shape.mean_size;
    options.size_law = SizeLaw::poisson;
    const Hypergraph hypergraph = random_hypergraph(options);
    Random random(1);
    std::vector<float> x(static_cast<std::size_t>(shape.nodes) * shape.features);
    for (float& value : x) value = static_cast<float>(random.normal());
    std::vector<std::int64_t> y(shape.nodes);
    for (std::int64_t& label : y) label = static_cast<std::int64_t>(random.below(shape.classes));
    io::save({.hypergraph = hypergraph,
              .arrays = {{io::kNodeFeatures, io::Array::of(x, {shape.nodes, shape.features})},
                         {io::kNodeLabels, io::Array::of(y, {shape.nodes})}}},
             path_);
  }
  ~GeneratedSet() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  GeneratedSet(const GeneratedSet&) = delete;
  GeneratedSet& operator=(const GeneratedSet&) = delete;

  std::filesystem::path operator/(const char* name) const { return path_ / name; }
  std::string text() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

std::string part_of(const std::string& op) {
  if (op == "aten::mm" || op == "aten::addmm" || op == "aten::bmm" || op == "aten::addmm_") return "products";
  if (op.find("sheaf") != std::string::npos || op.find("degree") != std::string::npos ||
      op.find("inverse_sqrt") != std::string::npos || op.find("maps") != std::string::npos) {
    return "sheaf";
  }
  if (op.find("dropout") != std::string::npos) return "dropout";
  if (op.rfind("dshn::", 0) == 0) return "gathers";
  return "elementwise";
}

/// The costliest operators by name.
std::string costliest(const std::map<std::string, double>& seconds, double total) {
  std::vector<std::pair<double, std::string>> order;
  for (const auto& [op, time] : seconds) order.emplace_back(time, op);
  std::sort(order.rbegin(), order.rend());
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(8, order.size()); ++i) {
    text += order[i].second + " " + std::to_string(std::lround(100 * order[i].first / total)) + "% ";
  }
  return text;
}

void epoch(benchmark::State& state, const DataShape& shape, const std::string& model) {
  const GeneratedSet set(shape);
  train::Settings settings;
  settings.data = set.text();
  settings.model = model;
  settings.device = "cpu";
  settings.splits = 1;
  const bool large = shape.nodes > 10000;
  settings.set = {
      {"epochs", large ? "6" : "30"}, {"features", "stored"}, {"layers", "4"}, {"residual", "false"}};
  const train::Experiment experiment(settings);
  while (state.KeepRunning()) {
    std::map<std::string, double> parts;
    double total = 0;
    int epochs = 0;
    {
      const OperatorTimes times;
      const train::SplitResult result = train::run_splits({{&experiment, 0, set / "run"}}, {}).front();
      epochs = result.epochs;
      total = result.epoch_ms * epochs / 1e3;
      for (const auto& [op, seconds] : times.seconds()) parts[part_of(op)] += seconds;
      state.SetLabel(costliest(times.seconds(), total));
    }
    std::filesystem::remove_all(set / "run");
    double seen = 0;
    for (const auto& [part, seconds] : parts) {
      state.counters[part + "_%"] = 100 * seconds / total;
      seen += seconds;
    }
    state.counters["outside_%"] = 100 * (total - seen) / total;
    state.SetIterationTime(total / epochs);
  }
}

}  // namespace

static void register_all() {
  for (const DataShape& shape : kShapes) {
    for (const char* model : {"dshn", "dshn-light"}) {
      benchmark::RegisterBenchmark((std::string("epoch/") + shape.name + "/" + model).c_str(),
                                   [&shape, model](benchmark::State& state) { epoch(state, shape, model); })
          ->Iterations(1)
          ->UseManualTime()
          ->Unit(benchmark::kMillisecond);
    }
  }
}

}  // namespace dshn::bench

int main(int argc, char** argv) {
  return dshn::bench::run_registered(argc, argv, dshn::bench::register_all);
}
