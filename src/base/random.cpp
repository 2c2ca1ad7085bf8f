#include "dshn/base/random.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <unordered_set>

#include "base/mix.hpp"
#include "dshn/base/error.hpp"

namespace dshn {
namespace {

/// Knuth's selection sampling: one pass over 0..n-1, for dense samples.
std::vector<std::int32_t> sample_by_selection(Random& random, std::int32_t n, std::int32_t k) {
  std::vector<std::int32_t> chosen;
  chosen.reserve(static_cast<std::size_t>(k));
  for (std::int32_t i = 0; static_cast<std::int32_t>(chosen.size()) < k; ++i) {
    const auto wanted = static_cast<std::uint64_t>(k) - chosen.size();
    if (random.below(static_cast<std::uint64_t>(n - i)) < wanted) chosen.push_back(i);
  }
  return chosen;
}

/// Floyd's algorithm: k draws however large n is, for sparse samples.
std::vector<std::int32_t> sample_by_draws(Random& random, std::int32_t n, std::int32_t k) {
  std::unordered_set<std::int32_t> seen;
  seen.reserve(static_cast<std::size_t>(k));
  for (std::int32_t last = n - k; last < n; ++last) {
    const auto drawn = static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(last) + 1));
    if (!seen.insert(drawn).second) seen.insert(last);
  }
  std::vector<std::int32_t> chosen(seen.begin(), seen.end());
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

}  // namespace

Random::Random(std::uint64_t seed) : seed_(seed), engine_(mix(seed)) {}

std::uint64_t Random::below(std::uint64_t n) {
  if (n == 0) throw UsageError("cannot draw a number below 0; expected a bound of at least 1");
  // Rejection from the smallest power of two that holds n: fewer than two draws on average and no bias.
  const std::uint64_t mask = ~std::uint64_t{0} >> std::countl_zero((n - 1) | 1);
  std::uint64_t drawn = 0;
  do {
    drawn = bits() & mask;
  } while (drawn >= n);
  return drawn;
}

double Random::normal() {
  if (std::exchange(has_spare_normal_, false)) return spare_normal_;
  // Marsaglia's polar method: a uniform point of the unit disc gives two independent normals.
  double x = 0;
  double y = 0;
  double square = 0;
  do {
    x = 2 * uniform() - 1;
    y = 2 * uniform() - 1;
    square = x * x + y * y;
  } while (square >= 1 || square == 0);
  const double scale = std::sqrt(-2 * std::log(square) / square);
  spare_normal_ = y * scale;
  has_spare_normal_ = true;
  return x * scale;
}

std::vector<std::int32_t> Random::sample(std::int32_t n, std::int32_t k) {
  if (k < 0 || k > n) {
    throw UsageError(fmt::format("cannot sample {} distinct numbers of {}; expected between 0 and {}", k, n,
                                 std::max(n, std::int32_t{0})));
  }
  return k > n / 8 ? sample_by_selection(*this, n, k) : sample_by_draws(*this, n, k);
}

Random Random::fork(std::uint64_t stream) const {
  return Random(mix(mix(seed_) + stream));
}

}  // namespace dshn
