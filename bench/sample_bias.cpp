// How far the operator of samples is from the operator itself: y = Q_N x at some nodes with maps that are drawn, from
// samples around them.
// Usage: sample_bias DATA...       (names, folders or files; targets are 256 nodes, figures of 200 samples)
#include <torch/torch.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <numeric>

#include "dshn/base/error.hpp"
#include "dshn/base/random.hpp"
#include "dshn/data/open.hpp"
#include "dshn/models/sampled_input.hpp"
#include "dshn/ops/multiplicity.hpp"
#include "dshn/ops/sheaf.hpp"
#include "models/message_passing.hpp"
#include "models/two_step_diffusion.hpp"

namespace dshn::bench {
namespace {

constexpr std::int64_t kStalk = 2;
constexpr std::int64_t kChannels = 8;
constexpr Index kTargets = 256;
constexpr int kSamples = 200;
constexpr double kCharge = 0.25;

/// A hypergraph with a signal and diagonal maps between 0 and 1.
struct Case {
  models::Input input;
  at::Tensor x;
  at::Tensor maps;
  at::Tensor exact;
  std::vector<Index> targets;

  explicit Case(const Hypergraph& hypergraph)
      : input(hypergraph, torch::zeros({hypergraph.node_count(), 1}, torch::kDouble), {}) {
    torch::manual_seed(1);
    x = torch::randn({hypergraph.node_count(), kStalk, 2, kChannels}, torch::kDouble);
    maps = torch::rand({hypergraph.incidence_count(), kStalk}, torch::kDouble);
    exact = ops::sheaf_diffuse(x, maps, at::full({}, kCharge, torch::kDouble), {}, input.incidence);
    std::vector<Index> found;
    for (Index v = 0; v < hypergraph.node_count(); ++v)
      if (hypergraph.degree(v) > 0) found.push_back(v);
    Random(2).shuffle(found);
    found.resize(std::min<std::size_t>(found.size(), kTargets));
    targets = found;
  }

  at::Tensor at_targets(const at::Tensor& rows, const std::vector<Index>& places) const {
    return rows.index_select(0, torch::tensor(std::vector<std::int64_t>(places.begin(), places.end())));
  }

  at::Tensor estimate(const Sample& sample) const {
    const models::Input sampled = models::for_two_steps(models::sampled_input(input, sample));
    const at::Tensor seen = maps.index_select(0, torch::tensor(sample.incidences));
    const at::Tensor degree = ops::repeated_degree(
        seen, sampled.edge_weight, models::counts(ops::Over::nodes, sampled), sampled.incidence);
    const at::Tensor normalized = ops::scale_maps(seen, ops::inverse_sqrt(degree), sampled.incidence);
    const at::Tensor y =
        models::diffuse_in_two_steps(at_targets(x, sample.nodes), models::step_maps(normalized, sampled),
                                     {.all = at::full({}, kCharge, torch::kDouble), .of_edges = {}}, sampled);
    return at_targets(y, sample.items);
  }
};

double length_of(const at::Tensor& x) {
  return x.norm().item<double>();
}

/// `degrees`: with a second step, for D_u of the nodes that come last.
void print_row(const Case& c, Index fanout, bool degrees) {
  Sampler sampler(c.input.hypergraph);
  std::vector<Fanout> hops{{fanout, fanout, fanout}};
  if (degrees) hops.push_back({1, 1, 1});
  const at::Tensor exact = c.at_targets(c.exact, c.targets);
  at::Tensor sum = torch::zeros_like(exact);
  double squares = 0;
  double incidences = 0;
  double seconds = 0;
  for (int s = 0; s < kSamples; ++s) {
    const auto begin = std::chrono::steady_clock::now();
    const Sample sample = sampler.around_nodes(c.targets, hops, static_cast<std::uint64_t>(s));
    seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    const at::Tensor y = c.estimate(sample);
    sum += y;
    squares += std::pow(length_of(y - exact), 2);
    incidences += static_cast<double>(sample.incidences.size());
  }
  std::printf(" %7d %8s %11.0f %9.1f %9.1f %% %9.1f %%\n", fanout, degrees ? "yes" : "no",
              incidences / kSamples, incidences / seconds / 1e6,
              100 * std::sqrt(squares / kSamples) / length_of(exact),
              100 * length_of(sum / kSamples - exact) / length_of(exact));
  std::fflush(stdout);
}

void run(const std::string& name) {
  const Case c(data::open(name, {}).hypergraph);
  std::printf("%s: %lld incidences\n %7s %8s %11s %9s %11s %11s\n", name.c_str(),
              static_cast<long long>(c.input.hypergraph.incidence_count()), "fanout", "degrees", "incidences",
              "M a s", "one sample", "bias");
  for (const Index fanout : {3, 5, 10, 20})
    for (const bool degrees : {false, true}) print_row(c, fanout, degrees);
}

}  // namespace
}  // namespace dshn::bench

int main(int argc, char** argv) {
  try {
    for (int i = 1; i < argc; ++i) dshn::bench::run(argv[i]);
  } catch (const dshn::Error& error) {
    std::fprintf(stderr, "sample_bias: %s\n", error.what());
    return 1;
  }
}
