#include "tune/samplers.hpp"

namespace dshn::tune {
namespace {

class RandomSampler : public Sampler {
 public:
  explicit RandomSampler(std::uint64_t seed) : seed_(seed) {}

  Point propose(const Space& space, const std::vector<Trial>& history, int number) const override {
    Random random = Random(seed_).fork(static_cast<std::uint64_t>(number));
    return draw_new(space, points_of(space, history), random);
  }

 private:
  std::uint64_t seed_;
};

}  // namespace

std::set<Point> points_of(const Space& space, const std::vector<Trial>& trials) {
  std::set<Point> points;
  for (const Trial& trial : trials) points.insert(without_idle(space, point_of(space, trial.set)));
  return points;
}

Point draw_new(const Space& space, const std::set<Point>& tried, Random& random) {
  constexpr int kDraws = 10000;
  Point point = without_idle(space, draw(space, random));
  for (int i = 1; i < kDraws && tried.contains(point); ++i) point = without_idle(space, draw(space, random));
  return point;
}

std::unique_ptr<Sampler> random_sampler(std::uint64_t seed) {
  return std::make_unique<RandomSampler>(seed);
}

}  // namespace dshn::tune
