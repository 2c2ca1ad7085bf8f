// The sheaf operator against the machine and against the assembled matrix, all in one run.
//
// Bytes of one application, float32, with a signal row of R = 8 d f bytes and diagonal maps of 4 d bytes:
//   gathered, forward       nnz (2 R + 8 + 8 d) + (n + m) R      a row, an id and a map per incidence in each
//                                                                sweep; h and y are stored
//   gathered, backward      nnz (3 R + 8 + 12 d) + (n + 2 m) R   rows of g and x to the hyperedges, of k to
//   the
//                                                                nodes; maps twice and their gradient; own
//                                                                rows of h are read, k and gx are stored
//   compulsory, forward     2 (n + m) R + nnz (8 + 8 d)          every row crosses the bus once each way
//   compulsory, backward    3 (n + m) R + nnz (8 + 12 d)
// "of_copy" is the share of the rate at which the same machine copies memory in the same run, "of_gather" the
// share of the rate at which it can touch the same rows in the same order and do nothing with them.
#include <ATen/Parallel.h>
#include <benchmark/benchmark.h>
#include <sys/resource.h>
#include <torch/torch.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <functional>
#include <iostream>
#include <vector>

#include "assembled_path.hpp"
#include "dshn/base/parallel.hpp"
#include "dshn/hypergraph/generators.hpp"
#include "dshn/ops/sheaf.hpp"
#include "learning_main.hpp"
#include "tensor_memory.hpp"

namespace dshn::bench {
namespace {

constexpr double kCharge = 0.2;

double seconds(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// The best of several runs after one to warm up: what the machine can do when nobody disturbs it.
double best_seconds(const std::function<void()>& work, double budget = 2.0, int least = 3) {
  double best = seconds(work);
  double spent = 0;
  for (int run = 0; run < least || (spent < budget && run < 1000); ++run) {
    const double time = seconds(work);
    spent += time;
    best = std::min(best, time);
  }
  return best;
}

/// Bytes per second read plus written by memcpy on all threads, measured again at each call; the greatest so
/// far.
double copy_rate() {
  static double greatest = 0;
  constexpr std::int64_t kBytes = 512 << 20;
  const at::Tensor from = at::ones({kBytes}, at::kByte);
  const at::Tensor to = at::ones({kBytes}, at::kByte);
  const double time = best_seconds(
      [&] {
        parallel_for(kBytes, 1 << 20, [&](std::int64_t begin, std::int64_t end) {
          std::memcpy(to.data_ptr<std::uint8_t>() + begin, from.data_ptr<std::uint8_t>() + begin,
                      static_cast<std::size_t>(end - begin));
        });
      },
      1.0, 5);
  greatest = std::max(greatest, 2.0 * kBytes / time);
  return greatest;
}

/// Bytes per second when one number of every cache line of every member's row is read, hyperedge by
/// hyperedge: the memory's own limit for this order of access.
double gather_rate(const Hypergraph& h, const at::Tensor& x) {
  constexpr std::int64_t kLine = 64 / sizeof(float);
  const std::int64_t row = x.numel() / x.size(0);
  const float* rows = x.data_ptr<float>();
  std::vector<float> sums(static_cast<std::size_t>(h.edge_count()));
  const double time = best_seconds([&] {
    parallel_for(h.edge_count(), 1 << 10, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t e = begin; e < end; ++e) {
        float sum = 0;
        for (const Index v : h.members(static_cast<Index>(e))) {
          for (std::int64_t c = 0; c < row; c += kLine) sum += rows[v * row + c];
        }
        sums[e] = sum;
      }
    });
  });
  return static_cast<double>(h.incidence_count()) * static_cast<double>(row) * sizeof(float) / time;
}

struct Shape {
  Index nodes, hyperedges;
  double mean_size;
  std::int64_t d, f;
};

Hypergraph generated(const Shape& shape, SizeLaw law = SizeLaw::poisson,
                     DegreeLaw degrees = DegreeLaw::uniform) {
  RandomOptions options;
  options.nodes = shape.nodes;
  options.hyperedges = shape.hyperedges;
  options.mean_size = shape.mean_size;
  options.size_law = law;
  options.degree_law = degrees;
  options.seed = 1;
  return random_hypergraph(options);
}

/// One application of an operator to random inputs, alone or followed by its gradients.
struct Step {
  at::Tensor x, maps, gy;
  std::function<at::Tensor(const at::Tensor& x, const at::Tensor& maps)> apply;

  Step(const Hypergraph& h, const Shape& shape)
      : x(at::rand({h.node_count(), shape.d, 2, shape.f})),
        maps(at::rand({h.incidence_count(), shape.d}) + 0.5),
        gy(at::rand({h.node_count(), shape.d, 2, shape.f})) {}

  void forward() const {
    const torch::NoGradGuard guard;
    benchmark::DoNotOptimize(apply(x, maps));
  }
  void forward_backward() const {
    const at::Tensor xs = x.detach().requires_grad_(true);
    const at::Tensor fs = maps.detach().requires_grad_(true);
    const auto gradients = torch::autograd::grad({apply(xs, fs)}, {xs, fs}, {gy});
    benchmark::DoNotOptimize(gradients);
  }
  /// Greatest number of bytes in tensors during a step, inputs not counted.
  std::size_t peak_bytes() const {
    TensorMemory& memory = TensorMemory::instance();
    const std::size_t before = memory.restart();
    forward_backward();
    return memory.peak() - before;
  }
};

using Operator = at::Tensor (*)(const at::Tensor&, const at::Tensor&, const ops::OptionalTensor&,
                                const ops::OptionalTensor&, const ops::Incidence&);

Step matrix_free(const Hypergraph& h, const Shape& shape, Operator op) {
  Step step(h, shape);
  const ops::Incidence incidence(h);
  const at::Tensor q = torch::tensor(static_cast<float>(kCharge));
  step.apply = [=](const at::Tensor& x, const at::Tensor& maps) { return op(x, maps, q, {}, incidence); };
  return step;
}

/// Sets the counters of one measured rate.
void report_rate(benchmark::State& state, double time, double gathered, double compulsory, double gather) {
  state.SetIterationTime(time);
  const double copy = copy_rate();
  state.counters["GB/s"] = gathered / time / 1e9;
  state.counters["of_copy"] = gathered / time / copy;
  state.counters["of_gather"] = gathered / time / gather;
  state.counters["compulsory_GB/s"] = compulsory / time / 1e9;
  state.counters["copy_GB/s"] = copy / 1e9;
}

/// With members drawn uniformly no row is near another in time: what a gather can do at worst. With a power
/// law of degrees, as in most data, some rows are still in the caches.
void bandwidth(benchmark::State& state, DegreeLaw degrees) {
  const Shape shape{400'000, 200'000, 10, 4, state.range(0)};
  const bool backward = state.range(1) != 0;
  const Hypergraph h = generated(shape, SizeLaw::poisson, degrees);
  const Step step = matrix_free(h, shape, ops::sheaf_signless);
  const auto n = static_cast<double>(h.node_count());
  const auto m = static_cast<double>(h.edge_count());
  const auto nnz = static_cast<double>(h.incidence_count());
  const auto d = static_cast<double>(shape.d);
  const double row = 8 * d * static_cast<double>(shape.f);
  double gathered = nnz * (2 * row + 8 + 8 * d) + (n + m) * row;
  double compulsory = 2 * (n + m) * row + nnz * (8 + 8 * d);
  if (backward) {
    gathered += nnz * (3 * row + 8 + 12 * d) + (n + 2 * m) * row;
    compulsory += 3 * (n + m) * row + nnz * (8 + 12 * d);
  }
  while (state.KeepRunning()) {
    report_rate(state, best_seconds([&] { backward ? step.forward_backward() : step.forward(); }), gathered,
                compulsory, gather_rate(h, step.x));
  }
  state.SetLabel(backward ? "forward+backward" : "forward");
}

/// Ours beside the assembled path on the same inputs; both must give the same result.
struct Comparison {
  double ours_time, assembled_time;
  std::size_t ours_bytes, assembled_bytes;
};

Comparison compare(const Shape& shape, SizeLaw law, double budget) {
  const Hypergraph h = generated(shape, law);
  const Step ours = matrix_free(h, shape, ops::sheaf_diffuse);
  const AssembledPath path(h, shape.d);
  Step assembled = ours;
  assembled.apply = [&](const at::Tensor& x, const at::Tensor& maps) {
    return path.diffuse(x, maps, kCharge);
  };
  const double difference =
      (ours.apply(ours.x, ours.maps) - assembled.apply(ours.x, ours.maps)).abs().max().item<double>();
  if (!(difference < 1e-3)) throw std::runtime_error("the two paths differ by " + std::to_string(difference));
  return {best_seconds([&] { ours.forward_backward(); }, budget),
          best_seconds([&] { assembled.forward_backward(); }, budget), ours.peak_bytes(),
          assembled.peak_bytes()};
}

void against_assembled(benchmark::State& state, const Shape& shape) {
  while (state.KeepRunning()) {
    const Comparison result = compare(shape, SizeLaw::poisson, 2.0);
    state.SetIterationTime(result.ours_time);
    state.counters["ours_ms"] = result.ours_time * 1e3;
    state.counters["assembled_ms"] = result.assembled_time * 1e3;
    state.counters["faster"] = result.assembled_time / result.ours_time;
    state.counters["ours_MB"] = static_cast<double>(result.ours_bytes) / 1e6;
    state.counters["assembled_MB"] = static_cast<double>(result.assembled_bytes) / 1e6;
    state.counters["smaller"] =
        static_cast<double>(result.assembled_bytes) / static_cast<double>(result.ours_bytes);
  }
}

/// Slope of the least-squares line through (log x, log y).
double exponent(const std::vector<double>& x, const std::vector<double>& y) {
  const auto count = static_cast<double>(x.size());
  double sx = 0;
  double sy = 0;
  double sxx = 0;
  double sxy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double a = std::log(x[i]);
    const double b = std::log(y[i]);
    sx += a;
    sy += b;
    sxx += a * a;
    sxy += a * b;
  }
  return (count * sxy - sx * sy) / (count * sxx - sx * sx);
}

void growth(benchmark::State& state) {
  while (state.KeepRunning()) {
    std::vector<double> sizes;
    std::vector<double> ours;
    std::vector<double> assembled;
    for (const int size : {8, 16, 32, 64, 128, 256}) {
      const Shape shape{4096, 128, static_cast<double>(size), 4, 16};
      const Comparison result = compare(shape, SizeLaw::fixed, 0.5);
      sizes.push_back(size);
      ours.push_back(result.ours_time);
      assembled.push_back(result.assembled_time);
      state.counters["ours_ms_" + std::to_string(size)] = result.ours_time * 1e3;
      state.counters["assembled_ms_" + std::to_string(size)] = result.assembled_time * 1e3;
    }
    state.SetIterationTime(ours.back());
    state.counters["ours_exponent"] = exponent(sizes, ours);
    state.counters["assembled_exponent"] = exponent(sizes, assembled);
  }
}

/// The greatest resident size of the process so far: this benchmark runs first.
void ten_million(benchmark::State& state) {
  const Shape shape{2'000'000, 1'000'000, 10, 2, 16};
  const Hypergraph h = generated(shape);
  const Step step = matrix_free(h, shape, ops::sheaf_diffuse);
  while (state.KeepRunning()) {
    state.SetIterationTime(best_seconds([&] { step.forward_backward(); }, 1.0, 2));
    state.counters["tensor_peak_GiB"] = static_cast<double>(step.peak_bytes()) / (1 << 30);
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    state.counters["peak_rss_GiB"] = static_cast<double>(usage.ru_maxrss) / (1 << 20);
    state.counters["incidences"] = static_cast<double>(h.incidence_count());
  }
}

}  // namespace

static void register_all() {
  const auto once = [](benchmark::internal::Benchmark* b) {
    b->Iterations(1)->UseManualTime()->Unit(benchmark::kMillisecond);
  };
  once(benchmark::RegisterBenchmark("ten_million_incidences", ten_million));
  for (const auto& [name, degrees] : {std::pair{"bandwidth/uniform", DegreeLaw::uniform},
                                      std::pair{"bandwidth/power_law", DegreeLaw::power_law}}) {
    benchmark::internal::Benchmark* b = benchmark::RegisterBenchmark(
        name, [degrees = degrees](benchmark::State& state) { bandwidth(state, degrees); });
    b->ArgNames({"f", "backward"})->ArgsProduct({{16, 64}, {0, 1}});
    once(b);
  }
  const std::vector<std::pair<const char*, Shape>> shapes{
      {"against_assembled/Telegram", {245, 183, 49.7, 4, 64}},
      {"against_assembled/email-EU", {986, 787, 43.36, 4, 64}},
      {"against_assembled/Squirrel", {2223, 2060, 23.81, 4, 64}},
      {"against_assembled/Roman-empire", {22662, 22662, 2.73, 4, 64}}};
  for (const auto& [name, shape] : shapes) {
    once(benchmark::RegisterBenchmark(
        name, [shape = shape](benchmark::State& state) { against_assembled(state, shape); }));
  }
  once(benchmark::RegisterBenchmark("growth_in_hyperedge_size", growth));
}

}  // namespace dshn::bench

int main(int argc, char** argv) {
  dshn::bench::TensorMemory::instance();
  at::manual_seed(1);
  return dshn::bench::run_registered(argc, argv, dshn::bench::register_all);
}
