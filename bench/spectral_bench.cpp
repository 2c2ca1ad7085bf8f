// Leading eigenvectors on a random hypergraph with a million incidences: what features=spectral costs.
#include <ATen/ATen.h>
#include <benchmark/benchmark.h>

#include "dshn/hypergraph/generators.hpp"
#include "dshn/sheaf/leading_eigenvectors.hpp"
#include "learning_main.hpp"

namespace dshn::bench {
namespace {

void leading_eigenvectors(benchmark::State& state) {
  RandomOptions options;
  options.nodes = 200000;
  options.hyperedges = 200000;
  options.mean_size = 5;
  const Hypergraph h = random_hypergraph(options);
  const sheaf::DirectedSheaf sheaf(h, 0.25, at::ones({h.incidence_count(), 1}, at::kDouble), 1);
  std::int64_t products = 0;
  for ([[maybe_unused]] const auto round : state)
    products = sheaf::leading_eigenvectors(sheaf, {.count = state.range(0)}).products;
  state.counters["incidences"] = static_cast<double>(h.incidence_count());
  state.counters["products"] = static_cast<double>(products);
}

void register_all() {
  benchmark::RegisterBenchmark("leading_eigenvectors", leading_eigenvectors)
      ->Arg(16)
      ->Iterations(1)
      ->Unit(benchmark::kSecond)
      ->UseRealTime();
}

}  // namespace
}  // namespace dshn::bench

int main(int argc, char** argv) {
  return dshn::bench::run_registered(argc, argv, dshn::bench::register_all);
}
