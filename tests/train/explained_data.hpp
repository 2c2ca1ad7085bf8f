#pragma once

#include <algorithm>
#include <cmath>
#include <map>

#include "dshn/base/random.hpp"
#include "dshn/hypergraph/generators.hpp"
#include "dshn/train/load_model.hpp"
#include "dshn/train/run.hpp"

/// Generated data and models that were trained on it, for tests of explanations.
namespace dshn::test {

/// The paper's benchmark, in memory.
inline data::Dataset benchmark(const SyntheticOptions& options) {
  LabelledHypergraph made = synthetic_benchmark(options);
  data::Dataset dataset;
  dataset.name = "benchmark";
  dataset.hypergraph = made.hypergraph;
  dataset.labels = std::move(made.labels);
  dataset.class_count = options.classes;
  return dataset;
}

/// One split of a data set, trained on the CPU.
struct Trained {
  train::Experiment experiment;
  train::RunResult result;
  train::LoadedModel loaded;

  Trained(data::Dataset dataset, const std::string& model, const Assignments& set)
      : experiment(std::make_shared<const data::Dataset>(std::move(dataset)), settings_for(model, set)),
        result(train::run_in_memory(experiment)),
        loaded{train::trained_model(experiment, result.splits[0]), experiment.input, experiment.prepared(),
               experiment.objective(0)} {}

 private:
  static train::Settings settings_for(const std::string& model, const Assignments& set) {
    train::Settings settings;
    settings.model = model;
    settings.splits = 1;
    settings.seed = 3;
    settings.device = "cpu";
    settings.set = set;
    return settings;
  }
};

}  // namespace dshn::test
