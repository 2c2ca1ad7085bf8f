#include "dshn/train/predict.hpp"

#include <fmt/format.h>
#include <torch/torch.h>

#include "dshn/base/error.hpp"
#include "dshn/io/atomic_file.hpp"
#include "dshn/io/run_files.hpp"
#include "dshn/io/table.hpp"
#include "train/load_model.hpp"

namespace dshn::train {

at::Tensor predict(const std::filesystem::path& run, int split, const Settings& settings,
                   const data::Dataset& dataset) {
  const LoadedModel loaded = load_model(run, split, settings, dataset);
  const torch::NoGradGuard no_grad;
  return loaded.model->forward(loaded.input, {false, nullptr}).to(at::kDouble).softmax(1).to(at::kCPU);
}

RunResult evaluate(const Experiment& experiment, const std::filesystem::path& run) {
  RunResult result;
  for (int split = 0; split < static_cast<int>(experiment.splits.size()); ++split) {
    if (!std::filesystem::exists(io::split_folder(run, split) / io::kModelFile)) continue;
    SplitResult figures;
    figures.split = split;
    figures.probabilities = predict(run, split, experiment.settings, *experiment.dataset);
    const at::Tensor predicted = figures.probabilities.argmax(1);
    const auto* classes = predicted.data_ptr<std::int64_t>();
    const auto confusion = [&](const std::vector<Index>& items) {
      Confusion counts(experiment.dataset->class_count);
      for (const Index item : items) counts.add(experiment.dataset->labels[item], classes[item]);
      return counts;
    };
    figures.test_confusion = confusion(experiment.splits[split].test);
    figures.test = figures.test_confusion.metric(experiment.metric);
    figures.val = confusion(experiment.splits[split].val).metric(experiment.metric);
    figures.train = confusion(experiment.splits[split].train).metric(experiment.metric);
    result.splits.push_back(figures);
  }
  if (result.splits.empty()) throw InvalidInput(fmt::format("{}: holds no trained split", run.string()));
  std::vector<double> test;
  std::vector<double> val;
  for (const SplitResult& split : result.splits) {
    test.push_back(split.test);
    val.push_back(split.val);
  }
  result.test = mean_std(test);
  result.val = mean_std(val);
  return result;
}

void write_predictions(const std::filesystem::path& path, const data::Dataset& dataset,
                       const at::Tensor& probabilities, const data::Split* split) {
  const bool nodes = dataset.task == data::Task::node_classification;
  const Names& names = nodes ? dataset.hypergraph.node_names() : dataset.hypergraph.edge_names();
  std::vector<const char*> part(probabilities.size(0), "");
  if (split != nullptr) {
    for (const Index item : split->train) part[item] = "train";
    for (const Index item : split->val) part[item] = "val";
    for (const Index item : split->test) part[item] = "test";
  }
  io::AtomicFile file(path);
  std::string line = split == nullptr ? "id,predicted" : "id,part,label,predicted";
  for (std::int64_t c = 0; c < probabilities.size(1); ++c) line += fmt::format(",p{}", c);
  file.write(line + "\n");
  const auto p = probabilities.accessor<double, 2>();
  const at::Tensor predicted = probabilities.argmax(1);
  for (std::int64_t i = 0; i < probabilities.size(0); ++i) {
    line = io::csv_field(names[i].text, names[i].is_integer, ',');
    if (split != nullptr) line += fmt::format(",{},{}", part[i], dataset.labels[i]);
    line += fmt::format(",{}", predicted.data_ptr<std::int64_t>()[i]);
    for (std::int64_t c = 0; c < probabilities.size(1); ++c) line += fmt::format(",{:.6g}", p[i][c]);
    file.write(line + "\n");
  }
  file.commit();
}

}  // namespace dshn::train
