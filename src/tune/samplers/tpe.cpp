#include <algorithm>
#include <cmath>

#include "tune/draw_new.hpp"

namespace dshn::tune {
namespace {

constexpr int kStartupTrials = 10;
constexpr double kGoodShare = 0.15;  // the quantile gamma
constexpr int kCandidates = 16;
/// Weight of the uniform prior, in observations: with less, a few lucky trials decide for good.
constexpr double kPriorWeight = 3;

/// Probability of every value of one parameter, from the configurations where it was not idle. An observation of an
/// ordered value also speaks, less loudly, for its neighbours.
std::vector<double> density(const SearchSpace& space, std::size_t index,
                            std::vector<Configuration> configurations) {
  const Parameter& parameter = space[index];
  std::erase_if(configurations,
                [&](const Configuration& configuration) { return is_idle(space, configuration, index); });
  const auto count = static_cast<int>(parameter.values.size());
  // The kernel narrows as observations come in (Scott's rule), down to a value and its two neighbours.
  const double width =
      std::max(0.5, 0.15 * count * std::pow(1.0 + static_cast<double>(configurations.size()), -0.2));
  std::vector<double> kernel(count, 0.0);
  for (int distance = 0; distance < count; ++distance)
    kernel[distance] = std::exp(-0.5 * std::pow(distance / width, 2));
  const bool ordered = parameter.ordered();
  std::vector<double> weights(count, kPriorWeight / count);
  for (const Configuration& configuration : configurations) {
    if (!ordered) {
      weights[configuration[index]] += 1;
      continue;
    }
    double total = 0;
    for (int v = 0; v < count; ++v) total += kernel[std::abs(v - configuration[index])];
    for (int v = 0; v < count; ++v) weights[v] += kernel[std::abs(v - configuration[index])] / total;
  }
  for (double& weight : weights) weight /= kPriorWeight + static_cast<double>(configurations.size());
  return weights;
}

using Densities = std::vector<std::vector<double>>;

Densities densities(const SearchSpace& space, const std::vector<Configuration>& configurations) {
  Densities result;
  for (std::size_t i = 0; i < space.size(); ++i) result.push_back(density(space, i, configurations));
  return result;
}

Configuration draw_from(const Densities& densities, Random& random) {
  Configuration configuration;
  for (const std::vector<double>& weights : densities) {
    double left = random.uniform();
    int value = 0;
    const auto last = static_cast<int>(weights.size()) - 1;
    while (value < last && (left -= weights[value]) >= 0) ++value;
    configuration.push_back(value);
  }
  return configuration;
}

double log_ratio(const SearchSpace& space, const Densities& good, const Densities& bad,
                 const Configuration& configuration) {
  double sum = 0;
  for (std::size_t i = 0; i < configuration.size(); ++i) {
    if (!is_idle(space, configuration, i))
      sum += std::log(good[i][configuration[i]]) - std::log(bad[i][configuration[i]]);
  }
  return sum;
}

/// Tree-structured Parzen estimator (Bergstra et al., 2011) over lists: the finished trials are divided into
/// the best gamma and the rest, each part gets a density l or g, and of candidates drawn from l the one with
/// the largest l/g is tried next. Trials that other workers are still at count as bad ones (a pessimistic
/// constant liar), so that workers go different ways.
class TpeSampler : public Sampler {
 public:
  explicit TpeSampler(std::uint64_t seed) : seed_(seed) {}

  Configuration propose(const SearchSpace& space, const std::vector<Trial>& history,
                        int number) const override {
    Random random = Random(seed_).fork(static_cast<std::uint64_t>(number));
    const std::set<Configuration> tried = configurations_of(space, history);
    const std::vector<int> ranked = ranking(history);
    if (static_cast<int>(ranked.size()) < kStartupTrials) return draw_new(space, tried, random);

    const auto good_count =
        static_cast<std::size_t>(std::ceil(kGoodShare * static_cast<double>(ranked.size())));
    std::set<int> good_numbers(ranked.begin(), ranked.begin() + static_cast<std::ptrdiff_t>(good_count));
    std::vector<Configuration> good_ones;
    std::vector<Configuration> bad_ones;
    for (const Trial& trial : history)
      (good_numbers.contains(trial.number) ? good_ones : bad_ones)
          .push_back(configuration_of(space, trial.set));
    const Densities good = densities(space, good_ones);
    const Densities bad = densities(space, bad_ones);

    Configuration best;
    double best_ratio = 0;
    for (int i = 0; i < kCandidates; ++i) {
      const Configuration candidate = without_idle(space, draw_from(good, random));
      if (tried.contains(candidate)) continue;
      const double ratio = log_ratio(space, good, bad, candidate);
      if (best.empty() || ratio > best_ratio) {
        best = candidate;
        best_ratio = ratio;
      }
    }
    return best.empty() ? draw_new(space, tried, random) : best;
  }

 private:
  std::uint64_t seed_;
};

}  // namespace

std::unique_ptr<Sampler> tpe_sampler(std::uint64_t seed) {
  return std::make_unique<TpeSampler>(seed);
}

}  // namespace dshn::tune
