// Measures on small made-up data what a model costs a rank.
#include <torch/torch.h>

#include <algorithm>

#include "dshn/hypergraph/generators.hpp"
#include "dshn/parts/cut.hpp"
#include "dshn/ranks/exchange.hpp"
#include "dshn/train/cost_model.hpp"
#include "dshn/train/operation_count.hpp"
#include "dshn/train/rank_part.hpp"
#include "train/memory_probe.hpp"
#include "train/small_experiment.hpp"
#include "train/split_training.hpp"
#include "train/tensor_ledger.hpp"

namespace dshn::train {
namespace {

/// Bytes of what a rank knows of the others, for each of its items: the arrays of parts::Plan, and the same as tensors.
constexpr Extent kPlanBytes{40, 32, 16};

double plan_bytes(const Extent& extent) {
  return kPlanBytes.nodes * extent.nodes + kPlanBytes.hyperedges * extent.hyperedges +
         kPlanBytes.incidences * extent.incidences;
}

/// Hypergraph, features and labels of such data, which grow in proportion.
double held_bytes(const Experiment& like, const Extent& extent) {
  const double divisor = probe_divisor(like, extent);
  const Experiment small = made_like(like, extent / divisor);
  const nn::FeatureRows& x = small.input.x;
  constexpr double kEntryBytes = 4;
  const double width =
      x.scalar_type() == at::kDouble ? kEntryBytes + 8 : kEntryBytes;  // beside the file's numbers
  const double entries = static_cast<double>(x.entries()) * (x.sparse() ? kEntryBytes + width : width);
  const double pointers = x.sparse() ? 8.0 * static_cast<double>(x.size(0)) : 0;
  const double labels = 4.0 * small.dataset->item_count();
  return divisor *
         (static_cast<double>(small.dataset->hypergraph.memory_bytes()) + entries + pointers + labels);
}

/// The second epoch of a training: the first leaves the moments of Adam.
class SecondEpoch {
 public:
  explicit SecondEpoch(const Experiment& experiment) : training_(experiment, 0, {}) { epoch(); }
  void epoch() {
    training_.start();
    training_.finish();
  }

 private:
  SplitTraining training_;
};

Work work_of(const Experiment& experiment) {
  TensorLedger ledger;  // of all, so that libtorch does not wonder what is given back
  SecondEpoch second(experiment);
  ledger.take();
  const Operations operations = count_operations([&] { second.epoch(); });
  Work work;
  const std::vector<std::int64_t> held = ledger.take();
  for (std::size_t i = 1; i < held.size(); ++i) {
    if (held[i] <= held[i - 1]) continue;
    ++work.calls;
    work.bytes += static_cast<double>(held[i] - held[i - 1]);
  }
  work.products = operations.products;
  work.sweeps = operations.sweeps;
  return work;
}

/// On the line through what half and all of one `divisor`-th of the data take.
double extended(double half, double whole, double divisor) {
  return whole + 2 * (divisor - 1) * std::max(whole - half, 0.0);
}

/// The operators called do not grow with the data.
Work work_at(const Experiment& like, const Extent& extent) {
  const double divisor = probe_divisor(like, extent);
  const Work half = work_of(made_like(like, extent / (2 * divisor)));
  const Work whole = work_of(made_like(like, extent / divisor));
  return {whole.calls, extended(half.bytes, whole.bytes, divisor),
          extended(half.products, whole.products, divisor), extended(half.sweeps, whole.sweeps, divisor)};
}

/// What an epoch sends does not depend on how large the data are, but for the cut.
void add_traffic(RankCost& cost, const Experiment& like, const Extent& extent) {
  Experiment small = made_like(like, extent / probe_divisor(like, extent));
  const parts::Partition one{
      1, std::vector<std::int32_t>(static_cast<std::size_t>(small.dataset->hypergraph.node_count()), 0)};
  const auto traffic = std::make_shared<ranks::Traffic>();
  small.input =
      small.input.as_part(ranks::rehearse_exchange(parts::cut(*small.dataset, one).front().plan, traffic));
  SecondEpoch second(small);
  *traffic = {};
  second.epoch();
  cost.exchanges = static_cast<double>(traffic->exchanges);
  cost.bytes_of_cut = static_cast<double>(traffic->bytes);
  cost.widest_row = static_cast<double>(traffic->widest);
  for (const at::Tensor& parameter : small.new_model(0)->parameters())
    if (parameter.requires_grad()) cost.gradient_bytes += static_cast<double>(parameter.nbytes());
}

}  // namespace

RankCost rank_cost(const Experiment& like, const Extent& whole, const Division& division, int ranks) {
  check_trains_on_ranks(like.settings);
  const Extent rank = extent_of_rank(whole, division, ranks);
  RankCost cost;
  cost.data_bytes = held_bytes(like, rank) + (ranks > 1 ? plan_bytes(rank) : 0);
  cost.whole_bytes = held_bytes(like, whole);
  cost.training_bytes = probed_bytes(like, rank);
  cost.work = work_at(like, rank);
  add_traffic(cost, like, rank);
  return cost;
}

Experiment made_up(const Settings& settings, std::int64_t features, std::int64_t classes, double directed) {
  constexpr Index kNodes = 100;  // or more, so that every class has some
  RandomOptions options;
  options.nodes = std::max(kNodes, static_cast<Index>(8 * classes));
  options.hyperedges = options.nodes;
  options.directed_share = directed;
  data::Dataset dataset;
  dataset.name = "made up";
  dataset.hypergraph = random_hypergraph(options);
  for (Index v = 0; v < options.nodes; ++v) dataset.labels.push_back(v % static_cast<Index>(classes));
  dataset.class_count = static_cast<Index>(classes);
  const auto columns = static_cast<Index>(features);
  dataset.node_features = data::Features(options.nodes, columns, random_features(options.nodes, columns, 0));
  return {std::make_shared<const data::Dataset>(std::move(dataset)), settings};
}

}  // namespace dshn::train
