#include <fmt/format.h>

#include <numeric>

#include "dshn/base/error.hpp"
#include "dshn/tune/sampler.hpp"

namespace dshn::tune {
namespace {

/// Products of two numbers below it fit 64 bits.
constexpr std::uint64_t kLargestGrid = std::uint64_t{1} << 31U;

/// Trial t gets configuration (a t + b) mod size, a and size without a common divisor: every configuration once, and what a
/// search that ends early has seen lies all over the grid.
class GridSampler : public Sampler {
 public:
  explicit GridSampler(std::uint64_t seed) : seed_(seed) {}

  Configuration propose(const SearchSpace& space, const std::vector<Trial>& /*history*/,
                        int number) const override {
    const std::uint64_t size = size_of(space);
    if (size > kLargestGrid)
      throw UsageError(fmt::format("a grid of {} configurations is too large", size), Topic{"large-grid"});
    Random random(seed_);
    std::uint64_t step = 1 + random.below(size);
    while (std::gcd(step, size) != 1) step = 1 + step % size;
    return configuration_at(space, (step * static_cast<std::uint64_t>(number) + random.below(size)) % size);
  }

  bool exhaustive() const override { return true; }

 private:
  std::uint64_t seed_;
};

}  // namespace

std::unique_ptr<Sampler> grid_sampler(std::uint64_t seed) {
  return std::make_unique<GridSampler>(seed);
}

}  // namespace dshn::tune
