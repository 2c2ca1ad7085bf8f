// Bulk construction of a hypergraph from shuffled arrays, beside the copy bandwidth of the same machine in
// the same run.
#include <benchmark/benchmark.h>
#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

#include "dshn/base/parallel.hpp"
#include "dshn/base/random.hpp"
#include "dshn/hypergraph/generators.hpp"
#include "dshn/hypergraph/hypergraph.hpp"
#include "dshn/hypergraph/statistics.hpp"

namespace {

std::atomic<std::size_t> live_bytes{0};
std::atomic<std::size_t> peak_bytes{0};

void* tracked(void* block) {
  if (block == nullptr) throw std::bad_alloc();
  const std::size_t now = live_bytes += malloc_usable_size(block);
  std::size_t peak = peak_bytes.load();
  while (now > peak && !peak_bytes.compare_exchange_weak(peak, now)) {
  }
  return block;
}

void release(void* block) {
  live_bytes -= malloc_usable_size(block);
  std::free(block);
}

}  // namespace

// Every allocation of the process passes here, so that the peak of one construction can be told exactly.
void* operator new(std::size_t size) {
  return tracked(std::malloc(size));
}
void* operator new[](std::size_t size) {
  return tracked(std::malloc(size));
}
void operator delete(void* block) noexcept {
  release(block);
}
void operator delete[](void* block) noexcept {
  release(block);
}
void operator delete(void* block, std::size_t) noexcept {
  release(block);
}
void operator delete[](void* block, std::size_t) noexcept {
  release(block);
}

namespace dshn {
namespace {

struct Arrays {
  std::vector<Index> edge, node;
  std::vector<Role> role;

  std::size_t bytes() const { return edge.size() * (2 * sizeof(Index) + sizeof(Role)); }
};

/// Hyperedges of one size with distinct members, all incidences in random order.
Arrays shuffled_arrays(Index nodes, Index edges, Index size) {
  Random random(7);
  std::vector<Offset> slots(static_cast<std::size_t>(edges) * size);
  for (std::size_t i = 0; i < slots.size(); ++i) slots[i] = static_cast<Offset>(i);
  random.shuffle(slots);
  Arrays arrays{std::vector<Index>(slots.size()), std::vector<Index>(slots.size()),
                std::vector<Role>(slots.size())};
  for (Offset e = 0, i = 0; e < edges; ++e) {
    // An arithmetic progression shorter than one turn around the nodes never meets itself.
    const std::uint64_t start = random.below(nodes);
    const std::uint64_t step = 1 + random.below(nodes / size);
    for (Index j = 0; j < size; ++j, ++i) {
      arrays.edge[slots[i]] = static_cast<Index>(e);
      arrays.node[slots[i]] = static_cast<Index>((start + j * step) % nodes);
      arrays.role[slots[i]] = random.below(2) == 0 ? Role::tail : Role::head;
    }
  }
  return arrays;
}

void bulk_construction(benchmark::State& state) {
  const auto size = static_cast<Index>(state.range(0));
  const Index edges = 10'000'000 / size;
  constexpr Index kNodes = 2'000'000;
  const Arrays arrays = shuffled_arrays(kNodes, edges, size);
  benchmark::DoNotOptimize(Hypergraph(kNodes, edges, {arrays.edge, arrays.node, arrays.role}));  // warm
  std::size_t object = 0;
  std::size_t peak = 0;
  while (state.KeepRunning()) {
    const std::size_t before = live_bytes.load();
    peak_bytes = before;
    const Hypergraph hypergraph(kNodes, edges, {arrays.edge, arrays.node, arrays.role});
    peak = std::max(peak, peak_bytes.load() - before);
    object = hypergraph.memory_bytes();
    benchmark::DoNotOptimize(hypergraph.incidence_count());
  }
  state.counters["incidences/s"] = benchmark::Counter(
      static_cast<double>(arrays.edge.size() * state.iterations()), benchmark::Counter::kIsRate);
  state.counters["object_MB"] = static_cast<double>(object) / 1e6;
  state.counters["peak/object"] = static_cast<double>(peak) / static_cast<double>(object);
  state.counters["(peak+input)/object"] =
      static_cast<double>(peak + arrays.bytes()) / static_cast<double>(object);
}
BENCHMARK(bulk_construction)->Arg(10)->Arg(100)->Iterations(5)->Unit(benchmark::kMillisecond)->UseRealTime();

/// A random hypergraph of ten million incidences, drawing and construction together.
void generation(benchmark::State& state) {
  const auto degree_law = static_cast<DegreeLaw>(state.range(0));
  const RandomOptions options{.nodes = 2'000'000,
                              .hyperedges = 1'000'000,
                              .size_law = SizeLaw::poisson,
                              .mean_size = 10,
                              .max_size = 100,
                              .degree_law = degree_law,
                              .seed = 1};
  Offset incidences = 0;
  while (state.KeepRunning()) incidences += random_hypergraph(options).incidence_count();
  state.SetLabel(degree_law == DegreeLaw::uniform ? "uniform degrees" : "power-law degrees");
  state.counters["incidences/s"] =
      benchmark::Counter(static_cast<double>(incidences), benchmark::Counter::kIsRate);
}
BENCHMARK(generation)->Arg(0)->Arg(1)->Iterations(2)->Unit(benchmark::kMillisecond)->UseRealTime();

/// CE homophily visits every pair of members of every hyperedge.
void homophily(benchmark::State& state) {
  const Hypergraph hypergraph = random_hypergraph({.nodes = 200'000, .hyperedges = 100'000, .mean_size = 20});
  std::vector<Index> labels(hypergraph.node_count());
  for (std::size_t v = 0; v < labels.size(); ++v) labels[v] = static_cast<Index>(v % 5);
  Offset pairs = 0;
  for (Index e = 0; e < hypergraph.edge_count(); ++e) pairs += hypergraph.size(e) * hypergraph.size(e);
  while (state.KeepRunning()) benchmark::DoNotOptimize(ce_homophily(hypergraph, labels));
  state.counters["pairs/s"] = benchmark::Counter(
      static_cast<double>(pairs * static_cast<Offset>(state.iterations())), benchmark::Counter::kIsRate);
}
BENCHMARK(homophily)->Unit(benchmark::kMillisecond)->UseRealTime();

/// Bytes read plus bytes written by memcpy of an array far larger than the caches, on all threads of
/// parallel_for.
void copy_bandwidth(benchmark::State& state) {
  constexpr std::int64_t kBytes = 512 << 20;
  const auto from = std::make_unique<char[]>(kBytes);
  const auto to = std::make_unique<char[]>(kBytes);
  while (state.KeepRunning()) {
    parallel_for(kBytes, 1 << 20, [&](std::int64_t begin, std::int64_t end) {
      std::memcpy(to.get() + begin, from.get() + begin, static_cast<std::size_t>(end - begin));
    });
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(2 * kBytes * static_cast<std::int64_t>(state.iterations()));
}
BENCHMARK(copy_bandwidth)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace dshn

BENCHMARK_MAIN();
