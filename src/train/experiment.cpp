#include "dshn/train/experiment.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/torch.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>

#include "dshn/base/error.hpp"
#include "dshn/data/measure.hpp"
#include "dshn/data/reading.hpp"
#include "dshn/ranks/exchange.hpp"
#include "dshn/train/rank_part.hpp"
#include "train/batches.hpp"
#include "train/memory_probe.hpp"
#include "train/spectral_features.hpp"

namespace dshn::train {
namespace {

/// A tensor on memory that the owner keeps.
template <typename T>
at::Tensor tensor_on(std::span<const T> values, at::IntArrayRef sizes, std::shared_ptr<const void> owner) {
  return torch::from_blob(
      const_cast<T*>(values.data()), sizes, [owner = std::move(owner)](void*) {},
      c10::CppTypeToScalarType<T>::value);
}

at::Tensor dense_tensor(const data::Features& features) {
  if (features.cols() == 0) return {};
  if (!features.sparse())
    return tensor_on(features.values(), {features.rows(), features.cols()}, features.owner());
  const auto all = std::make_shared<const std::vector<float>>(features.dense_values());
  return tensor_on(std::span(*all), {features.rows(), features.cols()}, all);
}

nn::FeatureRows feature_rows(const data::Features& features) {
  if (!features.sparse()) return dense_tensor(features);
  const auto entries = static_cast<std::int64_t>(features.columns().size());
  const at::Tensor values =
      features.values().empty() ? at::Tensor() : tensor_on(features.values(), {entries}, features.owner());
  return {tensor_on(features.row_ptr(), {features.rows() + std::int64_t{1}}, features.owner()),
          tensor_on(features.columns(), {entries}, features.owner()), values, at::kFloat, features.cols()};
}

/// A number that is the same everywhere cannot be learned.
void check_numbers(const data::Dataset& dataset) {
  for (const data::NumberRange& range : data::number_ranges(dataset)) {
    if (range.least == range.greatest)
      throw InvalidInput(fmt::format("{}: the number {} is {} of all {}s; there is nothing to learn",
                                     dataset.name, range.name, range.least, data::item_word(dataset.task)));
  }
}

/// Rules know classes alone, and weights of classes mean nothing to numbers.
void check_options(const data::Dataset& dataset, const Settings& settings, const Options& training) {
  const data::TargetKind kind = dataset.code.target;
  if (!dataset.has_targets() || kind == data::TargetKind::classes) return;
  if (models::find_model(settings.model).is_rule)
    throw UsageError(fmt::format("model {}: a rule for classes; {} has {} to predict", settings.model,
                                 dataset.name, data::target_kind_name(kind)));
  if (kind == data::TargetKind::numbers && training.flag("class_weights"))
    throw UsageError(
        fmt::format("class_weights: {} has numbers to predict, and no classes to weigh", dataset.name));
}

/// Targets that a model can be trained on: present, of two classes at least, with items in every part of every split:
/// a figure over none would be 0, and mean nothing.
void check_labels(const data::Dataset& dataset, const std::vector<data::Split>& splits) {
  if (!dataset.has_targets()) {
    throw InvalidInput(
        fmt::format("{}: there are no labels to train on, of nodes or of hyperedges", dataset.name),
        Topic{"no-labels"});
  }
  if (dataset.code.target == data::TargetKind::numbers) check_numbers(dataset);
  if (dataset.code.target == data::TargetKind::classes && dataset.class_count < 2) {
    throw InvalidInput(
        fmt::format("{}: {} class; a classifier needs two at least", dataset.name, dataset.class_count));
  }
  for (std::size_t s = 0; s < splits.size(); ++s) {
    const data::Split& parts = splits[s];
    if (!parts.train.empty() && !parts.val.empty() && !parts.test.empty()) continue;
    throw InvalidInput(
        fmt::format("{}: split {} has {} training, {} validation and {} test items; all three are needed",
                    dataset.name, s, parts.train.size(), parts.val.size(), parts.test.size()));
  }
}

/// Classes that some split tests without ever having trained on them: legal (Texas has a class of one
/// member), but worth a word.
std::vector<std::string> absent_classes(const data::Dataset& dataset,
                                        const std::vector<data::Split>& splits) {
  std::vector<std::string> warnings;
  if (dataset.code.target != data::TargetKind::classes) return warnings;
  for (std::size_t s = 0; s < splits.size(); ++s) {
    std::vector<int> trained(dataset.class_count, 0);
    std::vector<int> tested(dataset.class_count, 0);
    for (const Index item : splits[s].train) ++trained[dataset.labels[item]];
    for (const Index item : splits[s].test) ++tested[dataset.labels[item]];
    for (Index c = 0; c < dataset.class_count; ++c) {
      if (trained[c] > 0 || tested[c] == 0) continue;
      warnings.push_back(
          fmt::format("split {}: class {} has {} test items and no training item; they cannot be "
                      "classified",
                      s, c, tested[c]));
    }
  }
  return warnings;
}

/// What the data has and the model does not look at.
std::vector<std::string> unheeded(const data::Dataset& dataset, const models::Model& model,
                                  const std::string& name) {
  std::vector<std::string> warnings;
  if (dataset.hypergraph.weighted() && !model.heeds_edge_weights())
    warnings.push_back(fmt::format("{} does not use the weights of hyperedges: all count alike", name));
  if (dataset.edge_features.cols() > 0 && !model.heeds_edge_features())
    warnings.push_back(
        fmt::format("{} does not use the {} features of hyperedges; dshn with hyperedge_features=given does",
                    name, dataset.edge_features.cols()));
  return warnings;
}

/// A line where some class is rare and the loss does not weigh it: a classifier may then do well without it.
std::vector<std::string> skewed_classes(const data::Dataset& dataset, const Options& training) {
  constexpr Index kSkewed = 10;
  if (dataset.code.target != data::TargetKind::classes) return {};
  std::vector<Index> counts(dataset.class_count, 0);
  for (const Index label : dataset.labels)
    if (label >= 0) ++counts[label];
  const auto [least, most] = std::minmax_element(counts.begin(), counts.end());
  const bool built_in = data::find_entry(dataset.name) != nullptr;  // whose protocol is the paper's
  if (built_in || training.flag("class_weights") || *most < kSkewed * *least) return {};
  return {fmt::format(
      "class {} has {} items and class {} has {}; class_weights=true lets all classes count alike",
      dataset.class_name(static_cast<Index>(most - counts.begin())), *most,
      dataset.class_name(static_cast<Index>(least - counts.begin())), *least)};
}

data::SplitSet make_splits(const Settings& settings, const Options& training, const data::Dataset& dataset) {
  data::SplitOptions options = data::split_options(dataset, training.text("split"));
  if (settings.splits > 0) options.count = settings.splits;
  options.seed = settings.seed;
  return data::make_splits(dataset, options);
}

data::Scaling scaling_of(const Options& training) {
  const std::string& scaling = training.text("scaling");
  if (scaling == "standardise") return data::Scaling::standardise;
  if (scaling == "normalise-rows") return data::Scaling::normalise_rows;
  return scaling == "auto" ? data::Scaling::by_kind : data::Scaling::none;
}

/// With the eigenvectors of this hypergraph, where features ask for them.
data::FeatureOptions with_spectral(data::FeatureOptions features, const data::Dataset& dataset,
                                   const Options& training) {
  if (std::ranges::find(features.kinds, data::FeatureKind::spectral) != features.kinds.end()) {
    features.spectral =
        spectral_features(dataset.hypergraph, static_cast<Index>(training.integer("spectral_columns")),
                          training.real("spectral_charge"));
  }
  return features;
}

/// In the precision of the settings.
at::ScalarType number_type(const Options& training) {
  return training.is("precision", "float64") ? at::kDouble : at::kFloat;
}

std::string protocol_text(const std::string& of_splits, const std::string& metric) {
  return fmt::format("{}; test at the epoch of best validation {} (ties: lower validation loss)", of_splits,
                     metric);
}

/// Whether libtorch may round the factors of products to ten bits: only where that was asked for.
void set_product_precision(const Options& training, const at::Device& device) {
  const bool rounded = training.is("precision", "tf32");
  if (rounded && !device.is_cuda())
    throw UsageError("precision=tf32: only a GPU has such products; use precision=float32");
  at::globalContext().setFloat32MatmulPrecision(rounded ? "high" : "highest");
}

/// What is trained on samples is trained on the CPU, unless another device is asked for by name.
at::Device choose_device(const Settings& settings) {
  const bool samples = settings.device == "auto" && batch_options(settings);
  return train::choose_device(samples ? "cpu" : settings.device);
}

/// Wrong options are reported before any data is read.
std::shared_ptr<const data::Dataset> opened(const Settings& settings) {
  static_cast<void>(settings.training());
  static_cast<void>(settings.model_options());
  return std::make_shared<const data::Dataset>(data::open(settings.data, open_options(settings)));
}

}  // namespace

at::Device choose_device(const std::string& name) {
#ifdef DSHN_CUDA_KERNELS
  const bool usable = torch::cuda::is_available();
  const char* why = "there is no usable GPU";
#else
  const bool usable = false;
  const char* why = "this program was built without CUDA kernels";
#endif
  if (name == "cpu" || (name == "auto" && !usable)) return at::kCPU;
  if (name != "auto" && name != "cuda")
    throw UsageError(fmt::format("device {}: expected auto, cpu or cuda", name));
  if (!usable) throw UsageError(fmt::format("device cuda: {}; use cpu", why));
  // cuBLAS reads this when it starts, and then gives the same bits in every run.
  setenv("CUBLAS_WORKSPACE_CONFIG", ":4096:8", /*overwrite=*/0);
  return {at::kCUDA, 0};
}

std::string metric_name(const Options& training, const data::Dataset& dataset) {
  const data::TargetKind kind = dataset.code.target;
  const std::vector<Metric>& known = metrics_of(kind);
  const std::string& asked = training.text("metric");
  if (asked == "auto") {
    const bool of_hyperedges = dataset.task == data::Task::hyperedge_classification;
    return kind == data::TargetKind::classes && of_hyperedges ? "macro-f1" : known.front().name;
  }
  if (std::ranges::find(known, asked, &Metric::name) != known.end()) return asked;
  std::vector<std::string> names;
  for (const Metric& metric : known) names.push_back(metric.name);
  throw UsageError(fmt::format("metric {}: {} has {} to predict; expected one of {}", asked, dataset.name,
                               data::target_kind_name(kind), fmt::join(names, ", ")));
}

data::OpenOptions open_options(const Settings& settings) {
  data::OpenOptions options = data::open_options(settings.reading);
  options.seed = settings.seed;
  return options;
}

data::FeatureOptions feature_options(const data::Dataset& dataset, const Settings& settings) {
  const Options training = settings.training();
  data::FeatureOptions options = data::default_features(dataset);
  const bool by_role = options.kinds == std::vector{data::FeatureKind::role_degrees};
  if (settings.old_defaults && by_role) options.kinds = {data::FeatureKind::degree};
  if (!training.is("features", "auto")) {
    options.kinds = {};
    for (const std::string& part : training.parts("features"))
      options.kinds.push_back(data::feature_kind(part));
  }
  options.seed = settings.seed;
  options.scaling = scaling_of(training);
  return with_spectral(options, dataset, training);
}

models::Input input_for(const data::Dataset& dataset, const Settings& settings,
                        const data::FeatureOptions& features, const at::Device& device) {
  const Options training = settings.training();
  const data::Features chosen = data::choose_features(dataset, with_spectral(features, dataset, training));
  const models::Input input(dataset.hypergraph, feature_rows(chosen), dense_tensor(dataset.edge_features));
  return input.to(device, number_type(training));
}

std::vector<std::string> input_columns(const data::Dataset& dataset, const Settings& settings,
                                       const data::FeatureOptions& features) {
  return data::column_names(dataset, with_spectral(features, dataset, settings.training()));
}

models::Sizes sizes_of(const models::Input& input, data::Task task, std::int64_t classes) {
  const ops::Exchange* exchange = input.incidence.exchange();
  return {exchange ? exchange->whole().nodes : input.incidence.nodes(),
          exchange ? exchange->whole().edges : input.incidence.edges(),
          input.x.size(1),
          input.edge_x.defined() ? input.edge_x.size(1) : 0,
          classes,
          task == data::Task::node_classification ? models::Target::nodes : models::Target::hyperedges};
}

Experiment::Experiment(std::shared_ptr<const data::Dataset> given, const Settings& given_settings)
    : settings(given_settings),
      training(settings.training()),
      dataset(std::move(given)),
      device(choose_device(settings)) {
  static_cast<void>(settings.model_options());  // wrong options are reported before any work is done
  if (!dataset->has_targets()) check_labels(*dataset, {});
  check_options(*dataset, settings, training);
  data::SplitSet set = make_splits(settings, training, *dataset);
  splits = std::move(set.splits);
  check_labels(*dataset, splits);
  warnings = absent_classes(*dataset, splits);
  for (std::string& line : skewed_classes(*dataset, training)) warnings.push_back(std::move(line));
  metric = metric_name(training, *dataset);
  protocol = protocol_text(set.protocol, metric);
  set_product_precision(training, device);
  features = feature_options(*dataset, settings);
  input = input_for(*dataset, settings, features, device);
  sizes = sizes_of(input, dataset->task, dataset->class_count);
  if (const auto batches = batch_options(settings)) check_batches(*this, *batches);
  // A model that refuses weights of incidences does so before there is a run folder.
  if (dataset->hypergraph.has_incidence_weights()) static_cast<void>(prepared());
  if (dataset->hypergraph.weighted() || dataset->edge_features.cols() > 0) {
    for (std::string& line : unheeded(*dataset, *new_model(0), settings.model))
      warnings.push_back(std::move(line));
  }
}

Experiment::Experiment(const Settings& given) : Experiment(opened(given), given) {}

Experiment::Experiment(std::shared_ptr<const data::Dataset> given, const Settings& given_settings,
                       std::shared_ptr<const RankPart> given_part)
    : settings(given_settings),
      training(settings.training()),
      dataset(std::move(given)),
      splits(dataset->splits),
      protocol(given_part->whole.protocol),
      metric(metric_name(training, *dataset)),
      part(std::move(given_part)) {
  if (settings.device == "cuda") throw UsageError("device cuda: several ranks train on CPUs; expected cpu");
  set_product_precision(training, device);
  features.scaling = data::Scaling::none;
  input = input_for(*dataset, settings, features, device)
              .as_part(ranks::make_exchange(part->plan, part->group, part->traffic));
  sizes = sizes_of(input, dataset->task, dataset->class_count);
  static_cast<void>(prepared());  // all ranks come to the messages of this together
}

const models::Input& Experiment::prepared() const {
  if (!prepared_) prepared_ = std::make_shared<const models::Input>(new_model(0)->prepare(input));
  return *prepared_;
}

bool Experiment::save_memory() const {
  const Assignments options = settings.model_options().values();
  const auto memory = options.find(models::kMemoryOption);
  if (memory == options.end() || memory->second != "auto") return false;
  saves_memory_ = true;
  return true;
}

double Experiment::needed_bytes() const {
  return probed_bytes(*this);
}

Experiment Experiment::on(std::shared_ptr<const data::Dataset> other, std::vector<data::Split> parts,
                          models::Input made) const {
  Experiment result = *this;
  result.dataset = std::move(other);
  result.splits = std::move(parts);
  result.input = std::move(made);
  result.sizes = sizes_of(result.input, result.dataset->task, result.dataset->class_count);
  result.device = at::kCPU;
  result.part = nullptr;
  result.prepared_ = nullptr;
  return result;
}

std::shared_ptr<const Objective> Experiment::objective(int split) const {
  const auto index = static_cast<std::size_t>(split);
  TargetScale scale;
  if (!part)
    scale = target_scale(*dataset, splits[index].train);
  else if (dataset->code.target == data::TargetKind::numbers)
    scale = part->whole.inputs.target_scales.at(index);
  return make_objective(dataset->code.target, dataset->class_count, scale);
}

std::shared_ptr<models::Model> Experiment::new_model(int split) const {
  static std::mutex mutex;  // threads have one generator among them
  const std::lock_guard lock(mutex);
  torch::manual_seed(settings.seed * 1000003 + static_cast<std::uint64_t>(split));
  const models::ModelEntry& entry = models::find_model(settings.model);
  Assignments options = settings.model_options().values();
  if (saves_memory_) options[models::kMemoryOption] = "recompute";
  std::shared_ptr<models::Model> model = entry.create(Options(entry.options, options), sizes);
  model->to(device, input.x.scalar_type());
  return model;
}

}  // namespace dshn::train
