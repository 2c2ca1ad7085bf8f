#include "ranks/any_parts.hpp"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <exception>
#include <mutex>
#include <thread>

#include "dshn/base/random.hpp"
#include "dshn/parts/cut.hpp"

namespace dshn::ranks::test {
namespace {

constexpr Index kNodes = 40;
constexpr Index kEdges = 26;

data::Features some_features(Index rows, Index columns, Random& random) {
  std::vector<float> values;
  for (Index i = 0; i < rows * columns; ++i) values.push_back(static_cast<float>(random.normal()));
  return {rows, columns, std::move(values)};
}

at::Tensor tensor_of(const data::Features& features) {
  const std::vector<float> values = features.dense_values();
  return torch::tensor(values).view({features.rows(), features.cols()}).to(at::kDouble);
}

}  // namespace

data::Dataset some_data(bool weights) {
  Random random(3);
  std::vector<Index> edge;
  std::vector<Index> node;
  std::vector<Role> role;
  std::vector<double> weight;
  for (Index e = 0; e < kEdges; ++e) {
    const Index size = e == 0 ? 0 : e < 5 ? 1 : static_cast<Index>(2 + random.below(6));
    std::vector<bool> taken(kNodes - 1, false);  // the last node stays alone
    for (Index i = 0; i < size; ++i) {
      const auto v = static_cast<Index>(random.below(kNodes - 1));
      if (taken[v]) continue;
      taken[v] = true;
      edge.push_back(e);
      node.push_back(v);
      role.push_back(e % 3 != 0 && random.below(2) == 0 ? Role::head : Role::tail);
      weight.push_back(weights ? 0.5 + static_cast<double>(random.below(4)) : 1.0);
    }
  }
  HypergraphExtras extras;
  for (Index e = 0; weights && e < kEdges; ++e) extras.edge_weights.push_back(1 + 0.25 * (e % 5));
  data::Dataset dataset;
  dataset.name = "some";
  dataset.hypergraph =
      Hypergraph(kNodes, kEdges, {edge, node, role, weight}, OnConflict::error, std::move(extras));
  dataset.node_features = some_features(kNodes, 5, random);
  dataset.edge_features = some_features(kEdges, 2, random);
  return dataset;
}

models::Input input_of(const data::Dataset& dataset) {
  return models::Input(dataset.hypergraph, tensor_of(dataset.node_features), tensor_of(dataset.edge_features))
      .to(at::kCPU, at::kDouble);
}

std::vector<parts::Part> some_parts(const data::Dataset& dataset, int count) {
  Random random(17);
  parts::Partition partition{count, {}};
  const int used = count > 2 ? count - 1 : count;
  for (Index v = 0; v < dataset.hypergraph.node_count(); ++v)
    partition.part_of_node.push_back(static_cast<std::int32_t>(random.below(used)));
  return parts::cut(dataset, partition);
}

void on_ranks(int size, const std::function<void(int, const std::shared_ptr<const Group>&)>& work) {
  const auto groups = Group::in_threads(size);
  std::vector<std::exception_ptr> errors(2);  // first what is not the fault of another rank
  std::mutex mutex;
  const auto keep = [&](std::size_t kind) {
    const std::lock_guard lock(mutex);
    errors[kind] = std::current_exception();
  };
  std::vector<std::thread> threads;
  for (int rank = 0; rank < size; ++rank) {
    threads.emplace_back([&, rank] {
      try {
        work(rank, groups[rank]);
      } catch (const Lost&) {
        keep(1);
      } catch (...) {
        keep(0);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& error : errors)
    if (error) std::rethrow_exception(error);
}

at::Tensor assembled(const std::vector<at::Tensor>& rows, const std::vector<std::vector<Index>>& numbers,
                     std::int64_t count) {
  std::vector<std::int64_t> shape = rows[0].sizes().vec();
  shape[0] = count;
  at::Tensor whole = at::full(shape, std::nan(""), rows[0].options());
  for (std::size_t p = 0; p < rows.size(); ++p) {
    for (std::size_t i = 0; i < numbers[p].size(); ++i) {
      const at::Tensor row = rows[p][static_cast<std::int64_t>(i)];
      const at::Tensor there = whole[numbers[p][i]];
      EXPECT_TRUE(there.isnan().all().item<bool>() || torch::equal(there, row)) << "row " << numbers[p][i];
      there.copy_(row);
    }
  }
  return whole;
}

}  // namespace dshn::ranks::test
