#include "dshn/nn/dropout.hpp"

#include "dshn/ops/dropout.hpp"

namespace dshn::nn {
namespace {

/// A well-mixed 64-bit function (the finaliser of SplitMix64).
std::uint64_t mix(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15ULL;

}  // namespace

void MaskStream::start(std::uint64_t step) {
  step_ = step;
  call_ = 0;
}

std::uint64_t MaskStream::next() {
  return mix(mix(mix(seed_ + kGolden) + step_ * kGolden) + ++call_ * kGolden);
}

at::Tensor dropout(const at::Tensor& x, double p, MaskStream& masks) {
  if (p == 0) return x;
  const bool planar = x.dim() == 4;
  return ops::dropout(x, p, static_cast<std::int64_t>(masks.next()), planar ? x.size(2) : 1,
                      planar ? x.size(3) : 1);
}

}  // namespace dshn::nn
