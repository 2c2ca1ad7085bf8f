#include "train/small_experiment.hpp"

#include <torch/torch.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace dshn::train {
namespace {

/// Three parts of a split have an item each.
constexpr std::int64_t kLeast = 3;

std::int64_t whole_number(double count) {
  return std::max<std::int64_t>(kLeast, std::llround(count));
}

/// Where part i of `parts` begins, when so many things are dealt out evenly.
std::int64_t begin_of(std::int64_t i, std::int64_t parts, std::int64_t things) {
  return i * things / parts;
}

/// Hyperedges of even sizes, whose members follow each other round and round the nodes.
Hypergraph made_like(const Hypergraph& original, const Extent& extent) {
  const std::int64_t nodes = whole_number(extent.nodes);
  const std::int64_t incidences = whole_number(extent.incidences);
  // A node is in a hyperedge once: few hyperedges of most nodes become some more.
  const std::int64_t edges = std::max(whole_number(extent.hyperedges), (incidences - 1) / nodes + 1);
  std::int64_t directed = 0;
  for (Index e = 0; e < original.edge_count(); ++e) directed += original.is_directed(e) ? 1 : 0;
  const double share = static_cast<double>(directed) / std::max<Index>(original.edge_count(), 1);

  std::vector<Index> edge;
  std::vector<Index> node;
  std::vector<Role> role;
  for (std::int64_t e = 0; e < edges; ++e) {
    const std::int64_t begin = begin_of(e, edges, incidences);
    const std::int64_t end = begin_of(e + 1, edges, incidences);
    const bool with_heads = static_cast<double>(e) < share * static_cast<double>(edges);
    for (std::int64_t i = begin; i < end; ++i) {
      edge.push_back(static_cast<Index>(e));
      node.push_back(static_cast<Index>(i % nodes));
      role.push_back(with_heads && i - begin < (end - begin) / 2 ? Role::head : Role::tail);
    }
  }
  HypergraphExtras extras;
  if (original.weighted()) extras.edge_weights.assign(edges, 2.0);
  std::vector<double> weight;
  if (original.has_incidence_weights()) weight.assign(edge.size(), 2.0);
  return {static_cast<Index>(nodes),
          static_cast<Index>(edges),
          {edge, node, role, weight},
          OnConflict::error,
          std::move(extras)};
}

/// Positive numbers, not all the same.
at::Tensor made_numbers(std::int64_t count, const at::TensorOptions& options) {
  return torch::arange(count, options).remainder_(7).add_(1).div_(7);
}

nn::FeatureRows made_like(const nn::FeatureRows& original, std::int64_t rows) {
  const at::TensorOptions options = original.options().device(at::kCPU);
  const std::int64_t columns = original.size(1);
  if (!original.sparse()) return made_numbers(rows * columns, options).view({rows, columns});
  const std::int64_t each =
      std::clamp<std::int64_t>(original.entries() / std::max<std::int64_t>(original.size(0), 1), 1, columns);
  std::vector<std::int64_t> ends(rows + 1);
  std::vector<std::int32_t> places;
  for (std::int64_t r = 0; r < rows; ++r) {
    ends[r + 1] = (r + 1) * each;
    for (std::int64_t i = 0; i < each; ++i)
      places.push_back(static_cast<std::int32_t>(begin_of(i, each, columns)));
  }
  return {torch::tensor(ends, at::kLong), torch::tensor(places, at::kInt), made_numbers(rows * each, options),
          original.scalar_type(), columns};
}

/// Classes, numbers or labels that change from item to item.
void give_targets(data::Dataset& made, const data::Dataset& original) {
  const Index items = made.item_count();
  for (Index item = 0; item < items; ++item) {
    if (!original.labels.empty()) made.labels.push_back(item % original.class_count);
    for (Index c = 0; !original.values.empty() && c < original.class_count; ++c)
      made.values.push_back((item + c) % 2);
  }
}

/// Of an experiment that has so many times as many items.
data::Split made_like(const data::Split& original, Index items, double divisor) {
  std::vector<Index> all(items);
  std::iota(all.begin(), all.end(), 0);
  auto next = all.begin();
  const auto take = [&](const std::vector<Index>& part, std::int64_t leave) {
    const auto count = std::clamp<std::int64_t>(std::llround(static_cast<double>(part.size()) / divisor), 1,
                                                all.end() - next - leave);
    return std::vector<Index>(std::exchange(next, next + count), next);
  };
  data::Split made;
  made.train = take(original.train, 2);
  made.val = take(original.val, 1);
  made.test = take(original.test, 0);
  return made;
}

}  // namespace

double size_of(const Extent& extent) {
  return extent.nodes + extent.hyperedges + extent.incidences;
}

Extent extent_of(const Hypergraph& hypergraph) {
  return {static_cast<double>(hypergraph.node_count()), static_cast<double>(hypergraph.edge_count()),
          static_cast<double>(hypergraph.incidence_count())};
}

Experiment made_like(const Experiment& experiment, const Extent& extent) {
  const data::Dataset& original = *experiment.dataset;
  const auto made = std::make_shared<data::Dataset>();
  made->name = original.name;
  made->hypergraph = made_like(original.hypergraph, extent);
  made->task = original.task;
  made->code = original.code;
  made->class_count = original.class_count;
  give_targets(*made, original);

  at::Tensor edge_x;
  if (const at::Tensor& given = experiment.input.edge_x; given.defined())
    edge_x = made_numbers(made->hypergraph.edge_count() * given.size(1), given.options().device(at::kCPU))
                 .view({-1, given.size(1)});
  const models::Input input =
      models::Input(made->hypergraph, made_like(experiment.input.x, made->hypergraph.node_count()), edge_x)
          .to(at::kCPU, experiment.input.x.scalar_type());
  const double divisor = static_cast<double>(original.item_count()) / made->item_count();
  Experiment result =
      experiment.on(made, {made_like(experiment.splits.front(), made->item_count(), divisor)}, input);
  // What is made up shall not diverge, whatever the rate is.
  result.settings.set["lr"] = "1e-6";
  result.training = result.settings.training();
  return result;
}

}  // namespace dshn::train
