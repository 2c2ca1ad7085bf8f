#include "tune/draw_new.hpp"

namespace dshn::tune {
namespace {

constexpr int kMostChanges = 3;
constexpr int kDraws = 1000;

/// The best configuration so far with one to three options changed, those of ordered values to a neighbour: for
/// searches of few trials that begin somewhere sensible.
class NearbySampler : public Sampler {
 public:
  explicit NearbySampler(std::uint64_t seed) : seed_(seed) {}

  Configuration propose(const SearchSpace& space, const std::vector<Trial>& history,
                        int number) const override {
    Random random = Random(seed_).fork(static_cast<std::uint64_t>(number));
    const std::set<Configuration> tried = configurations_of(space, history);
    const std::vector<int> ranked = ranking(history);
    if (ranked.empty()) return draw_new(space, tried, random);
    const Configuration best = configuration_of(space, set_of(history, ranked[0]));
    for (int i = 0; i < kDraws; ++i) {
      const Configuration candidate = without_idle(space, changed(space, best, random));
      if (!tried.contains(candidate)) return candidate;
    }
    return draw_new(space, tried, random);
  }

 private:
  static const Assignments& set_of(const std::vector<Trial>& history, int number) {
    for (const Trial& trial : history)
      if (trial.number == number) return trial.set;
    return history.front().set;  // not reached: ranking() names trials of the history
  }

  static Configuration changed(const SearchSpace& space, Configuration configuration, Random& random) {
    const auto changes = 1 + random.below(kMostChanges);
    for (std::uint64_t i = 0; i < changes; ++i) {
      const auto index = random.below(space.size());
      configuration[index] = other_value(space[index], configuration[index], random);
    }
    return configuration;
  }

  static int other_value(const Parameter& parameter, int value, Random& random) {
    const auto count = static_cast<int>(parameter.values.size());
    if (count == 1) return value;
    if (!parameter.ordered()) return (value + 1 + static_cast<int>(random.below(count - 1))) % count;
    const int neighbour = value + (random.below(2) == 0 ? -1 : 1);
    if (neighbour < 0) return 1;
    return neighbour == count ? count - 2 : neighbour;
  }

  std::uint64_t seed_;
};

}  // namespace

std::unique_ptr<Sampler> nearby_sampler(std::uint64_t seed) {
  return std::make_unique<NearbySampler>(seed);
}

}  // namespace dshn::tune
