// Every model of the registry on the shapes of email-EU and USPTO-50K: time and memory of an epoch (a
// training step and an evaluation). HGNN's layer here against the same layer written with libtorch's own
// index_add and sparse product. And the product of sparse features against the dense one.
#include <benchmark/benchmark.h>
#include <torch/torch.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <string>

#include "dshn/hypergraph/generators.hpp"
#include "dshn/models/registry.hpp"
#include "dshn/nn/linear.hpp"
#include "dshn/ops/segment.hpp"
#include "learning_main.hpp"
#include "tensor_memory.hpp"

namespace dshn::bench {
namespace {

struct ModelShape {
  const char* name;
  Index nodes;
  Index hyperedges;
  double mean_size;
  std::int64_t features;
  std::int64_t classes;
  models::Target target;
};

constexpr ModelShape kModelShapes[] = {
    {"email-EU", 986, 787, 43.36, 1, 10, models::Target::nodes},
    {"uspto-50k", 100697, 50037, 2.71, 1024, 10, models::Target::hyperedges}};

Hypergraph hypergraph_of(const ModelShape& shape) {
  RandomOptions options;
  options.nodes = shape.nodes;
  options.hyperedges = shape.hyperedges;
  options.mean_size = shape.mean_size;
  options.size_law = SizeLaw::poisson;
  return random_hypergraph(options);
}

models::Input input_of(const ModelShape& shape) {
  const auto hypergraph = hypergraph_of(shape);
  return models::Input(hypergraph, at::rand({shape.nodes, shape.features}), {}).to(at::kCPU, at::kFloat);
}

double seconds_of(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// The best of a few runs after one to warm up.
double best_of(int runs, const std::function<void()>& work) {
  work();
  double best = seconds_of(work);
  for (int run = 1; run < runs; ++run) best = std::min(best, seconds_of(work));
  return best;
}

/// Defaults, and of DSHN and DSHNLight the four layers of the paper's own figures.
Options measured_options(const models::ModelEntry& entry) {
  const bool ours = entry.name == "dshn" || entry.name == "dshn-light";
  return {entry.options, ours ? Assignments{{"layers", "4"}, {"residual", "false"}} : Assignments{}};
}

void epoch(benchmark::State& state, const ModelShape& shape, const models::ModelEntry& entry) {
  at::manual_seed(1);
  const auto model = entry.create(measured_options(entry), {shape.nodes, shape.hyperedges, shape.features, 0,
                                                            shape.classes, shape.target});
  const models::Input input = model->prepare(input_of(shape));
  nn::MaskStream masks(1);
  const auto one_epoch = [&] {
    masks.start(1);
    model->zero_grad();
    const at::Tensor logits = model->forward(input, {true, &masks});
    at::log_softmax(logits, 1).select(1, 0).mean().neg().backward();
    const torch::NoGradGuard no_grad;
    benchmark::DoNotOptimize(model->forward(input, {false, nullptr}));
  };
  while (state.KeepRunning()) {
    state.SetIterationTime(best_of(shape.nodes > 10000 ? 2 : 10, one_epoch));
    TensorMemory& memory = TensorMemory::instance();
    const std::size_t before = memory.restart();
    one_epoch();
    state.counters["peak_MB"] = static_cast<double>(memory.peak() - before) / 1e6;
    double parameters = 0;
    for (const at::Tensor& parameter : model->parameters())
      parameters += static_cast<double>(parameter.numel());
    state.counters["parameters"] = parameters;
  }
}

/// A linear map of x, and its gradient.
double step_seconds(const at::Tensor& x, const std::function<at::Tensor(const at::Tensor&)>& propagate) {
  const at::Tensor g = at::rand_like(propagate(x));
  return best_of(10, [&] {
    const at::Tensor leaf = x.detach().requires_grad_(true);
    propagate(leaf).backward(g);
    benchmark::DoNotOptimize(leaf.grad());
  });
}

/// What HGNN adds to a linear layer, P x with P = D^-1 H Delta^-1 H^T, three times from the same inputs.
void hgnn_propagation(benchmark::State& state, const ModelShape& shape) {
  const auto hypergraph = hypergraph_of(shape);
  const ops::Incidence incidence(hypergraph);
  const at::Tensor x = at::rand({shape.nodes, 64});
  const at::Tensor nodes = incidence.by_edge().index.to(at::kLong);
  const at::Tensor sizes = incidence.by_edge().row_sizes();
  const at::Tensor edges = at::arange(shape.hyperedges).repeat_interleave(sizes);
  const at::Tensor degrees = incidence.by_node().row_sizes();
  const at::Tensor of_edge = sizes.clamp_min(1).to(at::kFloat).reciprocal().unsqueeze(1);
  const at::Tensor of_node = degrees.clamp_min(1).to(at::kFloat).reciprocal().unsqueeze(1);

  const auto ours = [&](const at::Tensor& rows) {
    return ops::gather_mean(ops::gather_mean(rows, ops::Over::edges, incidence), ops::Over::nodes, incidence);
  };
  const auto index_add = [&](const at::Tensor& rows) {
    const at::Tensor m =
        at::zeros({shape.hyperedges, rows.size(1)}).index_add(0, edges, rows.index_select(0, nodes)) *
        of_edge;
    return at::zeros({shape.nodes, rows.size(1)}).index_add(0, nodes, m.index_select(0, edges)) * of_node;
  };
  const at::Tensor incidence_matrix =
      at::sparse_coo_tensor(at::stack({nodes, edges}), at::ones({nodes.size(0)}),
                            {shape.nodes, shape.hyperedges})
          .coalesce();
  const at::Tensor transposed = incidence_matrix.t().coalesce();
  const auto sparse = [&](const at::Tensor& rows) {
    return at::mm(incidence_matrix, at::mm(transposed, rows) * of_edge) * of_node;
  };

  while (state.KeepRunning()) {
    for (const auto& other : {ours(x) - index_add(x), ours(x) - sparse(x)}) {
      if (!(other.abs().max().item<double>() < 1e-4)) return state.SkipWithError("the three ways differ");
    }
    const double time = step_seconds(x, ours);
    const double index_add_time = step_seconds(x, index_add);
    const double sparse_time = step_seconds(x, sparse);
    state.SetIterationTime(time);
    state.counters["index_add_ms"] = index_add_time * 1e3;
    state.counters["sparse_ms"] = sparse_time * 1e3;
    state.counters["over_index_add"] = index_add_time / time;
    state.counters["over_sparse"] = sparse_time / time;
  }
}

struct FeatureShape {
  const char* name;
  std::int64_t rows;
  std::int64_t columns;
  double share;  // of entries that are not 0
};

constexpr FeatureShape kFeatureShapes[] = {
    {"cora", 2708, 1433, 0.0127}, {"citeseer", 3312, 3703, 0.0086}, {"uspto-50k", 100697, 1024, 0.04}};

/// The first product of DSHN with d = 4 and width 64, and its gradient by the weight.
void lift(benchmark::State& state, const FeatureShape& shape) {
  const at::Tensor x = (at::rand({shape.rows, shape.columns}) < shape.share).to(at::kFloat);
  const auto entries = nn::FeatureRows::by_entries(x);
  const at::Tensor weight = at::rand({256, shape.columns});
  const auto sparse = [&](const at::Tensor& w) { return entries.linear(w, {}, {}, 0); };
  const auto dense = [&](const at::Tensor& w) { return nn::linear_rows(x, w); };
  while (state.KeepRunning()) {
    if (!at::allclose(sparse(weight), dense(weight), 1e-4, 1e-4))
      return state.SkipWithError("the two ways differ");
    const double time = step_seconds(weight, sparse);
    const double dense_time = step_seconds(weight, dense);
    state.SetIterationTime(time);
    state.counters["dense_ms"] = dense_time * 1e3;
    state.counters["over_dense"] = dense_time / time;
  }
}

void once(const std::string& name, const std::function<void(benchmark::State&)>& body) {
  benchmark::RegisterBenchmark(name.c_str(), body)
      ->Iterations(1)
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond);
}

}  // namespace

static void register_all() {
  for (const FeatureShape& shape : kFeatureShapes)
    once(std::string("lift/") + shape.name, [&shape](benchmark::State& state) { lift(state, shape); });
  for (const ModelShape& shape : kModelShapes) {
    once(std::string("hgnn_propagation/") + shape.name,
         [&shape](benchmark::State& state) { hgnn_propagation(state, shape); });
    for (const models::ModelEntry& entry : models::all_models()) {
      if (entry.is_rule) continue;
      once(std::string("epoch/") + shape.name + "/" + entry.name,
           [&shape, &entry](benchmark::State& state) { epoch(state, shape, entry); });
    }
  }
}

}  // namespace dshn::bench

int main(int argc, char** argv) {
  dshn::bench::TensorMemory::instance();
  return dshn::bench::run_registered(argc, argv, dshn::bench::register_all);
}
