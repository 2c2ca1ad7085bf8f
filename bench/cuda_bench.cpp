// The operators and whole epochs on a GPU, against the card's own copy rate and against the assembled matrix.
// One short table per question; see ops_bench.cpp for the formulas of the bytes.
#include <c10/cuda/CUDACachingAllocator.h>
#include <cuda_runtime_api.h>
#include <torch/torch.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "assembled_path.hpp"
#include "dshn/hypergraph/generators.hpp"
#include "dshn/models/registry.hpp"
#include "dshn/ops/sheaf.hpp"
#include "train/epoch_step.hpp"

namespace dshn::bench {
namespace {

constexpr double kCharge = 0.2;

void check(cudaError_t error) {
  if (error != cudaSuccess) throw std::runtime_error(cudaGetErrorString(error));
}

/// Median seconds of a call, by events on libtorch's stream; several calls to warm up.
double device_seconds(const std::function<void()>& work, int repetitions) {
  cudaEvent_t begin{};
  cudaEvent_t end{};
  check(cudaEventCreate(&begin));
  check(cudaEventCreate(&end));
  for (int i = 0; i < 2; ++i) work();
  std::vector<double> times;
  for (int i = 0; i < repetitions; ++i) {
    check(cudaEventRecord(begin));
    work();
    check(cudaEventRecord(end));
    check(cudaEventSynchronize(end));
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, begin, end));
    times.push_back(milliseconds / 1e3);
  }
  check(cudaEventDestroy(begin));
  check(cudaEventDestroy(end));
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

/// Greatest number of bytes that tensors held during a call, beyond what they held before it.
double peak_bytes(const std::function<void()>& work) {
  namespace allocator = c10::cuda::CUDACachingAllocator;
  check(cudaDeviceSynchronize());
  allocator::resetPeakStats(0);
  const auto before = allocator::getDeviceStats(0).allocated_bytes[0].current;
  work();
  check(cudaDeviceSynchronize());
  return static_cast<double>(allocator::getDeviceStats(0).allocated_bytes[0].peak - before);
}

/// Bytes per second read plus written by a large copy inside the card.
double copy_rate() {
  const at::Tensor from = at::rand({std::int64_t{1} << 30}, at::TensorOptions(at::kCUDA).dtype(at::kFloat));
  at::Tensor to = at::empty_like(from);
  return 2.0 * static_cast<double>(from.nbytes()) / device_seconds([&] { to.copy_(from); }, 20);
}

struct Problem {
  Index nodes, hyperedges;
  double mean_size;
  std::int64_t d, f;
};

Hypergraph drawn(const Problem& problem) {
  RandomOptions options;
  options.nodes = problem.nodes;
  options.hyperedges = problem.hyperedges;
  options.mean_size = problem.mean_size;
  options.size_law = SizeLaw::poisson;
  options.seed = 1;
  return random_hypergraph(options);
}

/// One application with diagonal maps on random inputs, alone or followed by its gradients.
struct DeviceStep {
  at::Tensor x, maps, gy;
  std::function<at::Tensor(const at::Tensor& x, const at::Tensor& maps)> apply;

  DeviceStep(const Hypergraph& h, const Problem& problem) {
    const at::TensorOptions options = at::TensorOptions(at::kCUDA).dtype(at::kFloat);
    x = at::rand({h.node_count(), problem.d, 2, problem.f}, options);
    gy = at::rand({h.node_count(), problem.d, 2, problem.f}, options);
    maps = at::rand({h.incidence_count(), problem.d}, options) + 0.5;
  }
  void forward() const {
    const torch::NoGradGuard guard;
    apply(x, maps);
  }
  void both() const {
    const at::Tensor xs = x.detach().requires_grad_(true);
    const at::Tensor fs = maps.detach().requires_grad_(true);
    torch::autograd::grad({apply(xs, fs)}, {xs, fs}, {gy});
  }
};

using Operator = at::Tensor (*)(const at::Tensor&, const at::Tensor&, const ops::OptionalTensor&,
                                const ops::OptionalTensor&, const ops::Incidence&);

DeviceStep matrix_free(const Hypergraph& h, const Problem& problem, Operator op) {
  DeviceStep step(h, problem);
  const ops::Incidence incidence(h, at::Device(at::kCUDA, 0));
  const at::Tensor q = torch::tensor(kCharge, torch::kDouble);
  step.apply = [=](const at::Tensor& x, const at::Tensor& maps) { return op(x, maps, q, {}, incidence); };
  return step;
}

void bandwidth(const Problem& problem, double copy) {
  const Hypergraph h = drawn(problem);
  const DeviceStep step = matrix_free(h, problem, ops::sheaf_signless);
  const auto n = static_cast<double>(h.node_count());
  const auto m = static_cast<double>(h.edge_count());
  const auto nnz = static_cast<double>(h.incidence_count());
  const auto d = static_cast<double>(problem.d);
  const double row = 8 * d * static_cast<double>(problem.f);
  const double forward = nnz * (2 * row + 8 + 8 * d) + (n + m) * row;
  const double both = forward + nnz * (3 * row + 8 + 12 * d) + (n + 2 * m) * row;
  const double forward_time = device_seconds([&] { step.forward(); }, 10);
  const double both_time = device_seconds([&] { step.both(); }, 5);
  const double peak = peak_bytes([&] { step.both(); });
  std::printf(
      "%5.0fM incidences, d=%lld f=%-3lld  forward %8.2f ms %5.0f GB/s %3.0f%% of copy   both %8.2f ms "
      "%5.0f GB/s %3.0f%% of copy   %5.1f GiB\n",
      nnz / 1e6, static_cast<long long>(problem.d), static_cast<long long>(problem.f), forward_time * 1e3,
      forward / forward_time / 1e9, 100 * forward / forward_time / copy, both_time * 1e3,
      both / both_time / 1e9, 100 * both / both_time / copy, peak / (1 << 30));
  std::fflush(stdout);
}

void against_assembled(const char* name, const Problem& problem) {
  const Hypergraph h = drawn(problem);
  const DeviceStep ours = matrix_free(h, problem, ops::sheaf_diffuse);
  AssembledPath path(h, problem.d);
  path.to(at::kCUDA);
  DeviceStep assembled = ours;
  assembled.apply = [&](const at::Tensor& x, const at::Tensor& maps) {
    return path.diffuse(x, maps, kCharge);
  };
  const double difference =
      (ours.apply(ours.x, ours.maps) - assembled.apply(ours.x, ours.maps)).abs().max().item<double>();
  const double ours_time = device_seconds([&] { ours.both(); }, 20);
  const double assembled_time = device_seconds([&] { assembled.both(); }, 10);
  const double ours_bytes = peak_bytes([&] { ours.both(); });
  const double assembled_bytes = peak_bytes([&] { assembled.both(); });
  std::printf(
      "%-14s ours %7.3f ms %7.1f MB   assembled %8.3f ms %8.1f MB   %.0fx faster, %.0fx smaller, "
      "difference %.1e\n",
      name, ours_time * 1e3, ours_bytes / 1e6, assembled_time * 1e3, assembled_bytes / 1e6,
      assembled_time / ours_time, assembled_bytes / ours_bytes, difference);
  std::fflush(stdout);
}

struct DataShape {
  const char* name;
  Problem problem;
  std::int64_t features;
  double entries;  // features of a node that are not 0, on average
  std::int64_t classes;
  models::Target target;
};

const std::vector<DataShape>& data_shapes() {
  static const std::vector<DataShape> shapes{
      {"Telegram", {245, 183, 49.70, 4, 64}, 1, 1, 4, models::Target::nodes},
      {"email-Enron", {143, 139, 19.58, 4, 64}, 1, 1, 7, models::Target::nodes},
      {"email-EU", {986, 787, 43.36, 4, 64}, 1, 1, 10, models::Target::nodes},
      {"Texas", {183, 110, 3.81, 4, 64}, 1703, 83.4, 5, models::Target::nodes},
      {"Wisconsin", {251, 170, 3.94, 4, 64}, 1703, 95.8, 5, models::Target::nodes},
      {"Cornell", {183, 96, 4.07, 4, 64}, 1703, 94.2, 5, models::Target::nodes},
      {"Cora", {2708, 1565, 4.47, 4, 64}, 1433, 18.2, 7, models::Target::nodes},
      {"Citeseer", {3312, 1951, 3.35, 4, 64}, 3703, 31.8, 6, models::Target::nodes},
      {"Chameleon", {890, 797, 12.11, 4, 64}, 2325, 11.1, 5, models::Target::nodes},
      {"Squirrel", {2223, 2060, 23.81, 4, 64}, 2089, 14.6, 5, models::Target::nodes},
      {"synthetic 50", {500, 650, 11.63, 4, 64}, 1, 1, 5, models::Target::nodes},
      {"uspto-10k", {22802, 10008, 2.71, 4, 64}, 1024, 39.9, 10, models::Target::hyperedges},
      {"uspto-50k", {100697, 50037, 2.71, 4, 64}, 1024, 41.8, 10, models::Target::hyperedges},
      {"Roman-empire", {22662, 22662, 2.73, 4, 64}, 300, 300, 18, models::Target::nodes},
      {"Amazon-ratings", {24492, 24456, 5.63, 4, 64}, 300, 300, 5, models::Target::nodes}};
  return shapes;
}

/// Features of which as many are not 0 as in the data set.
nn::FeatureRows drawn_features(const DataShape& shape, std::int64_t nodes) {
  const double share = shape.entries / static_cast<double>(shape.features);
  if (share == 1) return at::randn({nodes, shape.features});
  return nn::FeatureRows::by_entries((at::rand({nodes, shape.features}) < share).to(at::kFloat));
}

/// The epoch that `dshn train` repeats.
struct Epochs {
  std::shared_ptr<models::Model> model;
  std::unique_ptr<train::FlatAdam> adam;
  std::unique_ptr<train::EpochStep> step;
  int epoch = 0;

  Epochs(const DataShape& shape, const Hypergraph& h, const char* name, const char* maps) {
    const models::Input input =
        models::Input(h, drawn_features(shape, h.node_count()), at::Tensor()).to({at::kCUDA, 0}, at::kFloat);
    const models::ModelEntry entry = models::find_model(name);
    const Options options(entry.options, {{"maps", maps}, {"layers", "4"}, {"residual", "false"}});
    model = entry.create(options, {input.incidence.nodes(), input.incidence.edges(), shape.features, 0,
                                   shape.classes, shape.target});
    model->to(at::Device(at::kCUDA, 0), at::kFloat);
    const std::int64_t count =
        shape.target == models::Target::nodes ? input.incidence.nodes() : input.incidence.edges();
    const at::TensorOptions ids = at::TensorOptions(at::kCUDA).dtype(at::kLong);
    const at::Tensor items = at::arange(0, count, 2, ids);
    const at::Tensor labels = at::randint(0, shape.classes, {items.size(0)}, ids);
    adam = std::make_unique<train::FlatAdam>(*model, 0.005, 5e-4);
    step = std::make_unique<train::EpochStep>(model, input,
                                              train::EpochTargets{items, labels, items, labels, {}}, *adam,
                                              nn::MaskStream(1, input.x.device()), /*record=*/true);
  }

  void run() {
    step->start(++epoch);
    step->finish();
  }
};

void epoch_times(const DataShape& shape) {
  const Hypergraph h = drawn(shape.problem);
  std::printf("%-15s %7lld", shape.name, static_cast<long long>(h.incidence_count()));
  for (const char* model : {"dshn", "dshn-light"}) {
    for (const char* maps : {"diagonal", "general"}) {
      Epochs epochs(shape, h, model, maps);
      // The graph's own memory is taken while it is recorded, in the second epoch.
      const double peak = peak_bytes([&] {
        epochs.run();
        epochs.run();
      });
      constexpr int kEpochs = 50;
      const auto begin = std::chrono::steady_clock::now();
      for (int i = 0; i < kEpochs; ++i) epochs.run();
      const double time =
          std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / kEpochs;
      std::printf("  %7.2f ms %6.0f MiB", time * 1e3, peak / (1 << 20));
      std::fflush(stdout);
    }
  }
  std::printf("\n");
}

int run_all() {
  if (!torch::cuda::is_available()) {
    std::fprintf(stderr, "cuda_bench: there is no usable GPU\n");
    return 1;
  }
  at::manual_seed(1);
  const double copy = copy_rate();
  std::printf("copy inside the card: %.0f GB/s\n\nsheaf_signless, diagonal maps\n", copy / 1e9);
  bandwidth({2'000'000, 1'000'000, 10, 4, 64}, copy);
  bandwidth({20'000'000, 10'000'000, 10, 2, 16}, copy);
  std::printf("\nsheaf_diffuse, forward and backward, against the assembled matrix in libtorch's CSR\n");
  against_assembled("email-EU", {986, 787, 43.36, 4, 64});
  std::printf("\nepoch (training step, evaluation, one copy), 4 layers, d=4, width 64, and its memory\n");
  std::printf("%-15s %7s  %21s  %21s  %21s  %21s\n", "shape", "nnz", "DSHN diagonal", "DSHN general",
              "Light diagonal", "Light general");
  for (const DataShape& shape : data_shapes()) epoch_times(shape);
  std::printf("the same with precision=tf32\n");
  at::globalContext().setFloat32MatmulPrecision("high");
  for (const DataShape& shape : data_shapes()) {
    if (shape.features > 1000) epoch_times(shape);
  }
  return 0;
}

}  // namespace
}  // namespace dshn::bench

int main() {
  try {
    return dshn::bench::run_all();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "cuda_bench: %s\n", error.what());
    return 1;
  }
}
