#include "tune/draw_new.hpp"

namespace dshn::tune {
namespace {

class RandomSampler : public Sampler {
 public:
  explicit RandomSampler(std::uint64_t seed) : seed_(seed) {}

  Configuration propose(const SearchSpace& space, const std::vector<Trial>& history,
                        int number) const override {
    Random random = Random(seed_).fork(static_cast<std::uint64_t>(number));
    return draw_new(space, configurations_of(space, history), random);
  }

 private:
  std::uint64_t seed_;
};

}  // namespace

std::unique_ptr<Sampler> random_sampler(std::uint64_t seed) {
  return std::make_unique<RandomSampler>(seed);
}

}  // namespace dshn::tune
