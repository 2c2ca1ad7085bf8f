#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <utility>
#include <vector>

namespace dshn {

/// Seeded random numbers that are the same with every compiler and standard library: the engine's output is
/// fixed by the C++ standard and the distributions, which are not, are our own. (normal() also calls std::log
/// and may differ in its last bit between mathematical libraries.)
class Random {
 public:
  explicit Random(std::uint64_t seed);

  /// The next 64 random bits.
  std::uint64_t bits() { return engine_(); }
  /// Uniform in {0, ..., n-1}, without bias. n is at least 1, else UsageError.
  std::uint64_t below(std::uint64_t n);
  /// Uniform in [0, 1), a multiple of 2^-53.
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
  /// Standard normal.
  double normal();

  /// All orders equally likely.
  template <typename T>
  void shuffle(std::span<T> items) {
    for (std::size_t left = items.size(); left > 1; --left) {
      using std::swap;
      swap(items[left - 1], items[below(left)]);
    }
  }
  template <typename T>
  void shuffle(std::vector<T>& items) {
    shuffle(std::span<T>(items));
  }

  /// k distinct numbers of {0, ..., n-1} in ascending order, all subsets equally likely. 0 <= k <= n, else
  /// UsageError.
  std::vector<std::int32_t> sample(std::int32_t n, std::int32_t k);

  /// An independent stream of its own. It depends on this object's seed and on the stream's number only, not
  /// on what was drawn before, so pieces of work that run on different threads can each fork their own.
  Random fork(std::uint64_t stream) const;

 private:
  std::uint64_t seed_;
  std::mt19937_64 engine_;
  double spare_normal_ = 0;
  bool has_spare_normal_ = false;
};

}  // namespace dshn
