#include "dshn/models/sampled_input.hpp"

#include <torch/torch.h>

namespace dshn::models {
namespace {

/// The whole that a sample is of. Nobody has the rest: sums over members are estimates already.
class SampledWhole : public ops::Exchange {
 public:
  using Exchange::Exchange;

  int part() const override { return 0; }
  std::int64_t shared() const override { return 0; }
  Finish begin_sum(const at::Tensor& /*rows*/) const override {
    return [] {};
  }
  void greatest(const at::Tensor& /*rows*/) const override {}
  void sum_of_parts(const at::Tensor& /*values*/) const override {}
  std::shared_ptr<const Exchange> on(ops::Whole whole, std::int64_t /*pieces*/) const override {
    return std::make_shared<SampledWhole>(std::move(whole));
  }
};

at::Tensor numbers(const std::vector<Index>& items) {
  return torch::tensor(std::vector<std::int64_t>(items.begin(), items.end()), torch::kLong);
}

template <typename T, typename Value>
at::Tensor per_edge(const Sample& sample, at::ScalarType type, const Value& value) {
  const at::Tensor values = torch::empty({static_cast<std::int64_t>(sample.edges.size())}, type);
  auto* out = values.data_ptr<T>();
  for (const Index e : sample.edges) *out++ = static_cast<T>(value(e));
  return values;
}

ops::Whole whole_of(const Input& input, const Sample& sample) {
  const Hypergraph& h = input.hypergraph;
  ops::Whole whole;
  whole.nodes = h.node_count();
  whole.edges = h.edge_count();
  whole.incidences = h.incidence_count();
  whole.directed = input.directed;
  whole.node_numbers = numbers(sample.nodes);
  whole.edge_numbers = numbers(sample.edges);
  whole.incidence_numbers = torch::tensor(sample.incidences, torch::kLong);
  whole.edge_sizes = per_edge<std::int64_t>(sample, torch::kLong, [&](Index e) { return h.size(e); });
  whole.edge_directed = per_edge<bool>(sample, torch::kBool, [&](Index e) { return h.is_directed(e); });
  whole.edge_owned = torch::ones_like(whole.edge_directed);
  whole.loops = numbers(sample.loops);
  return whole;
}

}  // namespace

Input sampled_input(const Input& whole, const Sample& sample) {
  const at::Tensor nodes = numbers(sample.nodes);
  const at::Tensor edge_x =
      whole.edge_x.defined() ? whole.edge_x.index_select(0, numbers(sample.edges)) : at::Tensor();
  const Input plain(sample.hypergraph, whole.x.select(nodes), edge_x);
  Input input = plain.to(at::kCPU, whole.x.scalar_type())
                    .as_part(std::make_shared<const SampledWhole>(whole_of(whole, sample)));
  input.node_multiplicity = torch::tensor(sample.node_counts, torch::kDouble).to(whole.x.scalar_type());
  return input;
}

}  // namespace dshn::models
