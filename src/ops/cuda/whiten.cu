// Whitening of runs, the planes of one stalk component of one row, and its gradient: a warp per run.
#include "ops/cuda/device.cuh"
#include "ops/whitening_math.hpp"

namespace dshn::ops::cuda {
namespace {

constexpr int kLanes = 32;

/// Sum over the channels of term(c), known to all lanes.
template <typename Term>
__device__ __forceinline__ double over_channels(std::int64_t channels, const Term& term) {
  double sum = 0;
  for (std::int64_t c = lane_index(kLanes); c < channels; c += kLanes) sum += term(c);
  return group_sum(sum, kLanes);
}

/// The planes of a run around their means. A real run has a second plane of zeros.
template <typename T>
struct Centred {
  const T* at;
  std::int64_t channels;
  bool is_complex;
  T re0, im0;

  __device__ __forceinline__ Centred(const T* run, const WhitenArgs<T>& args)
      : at(run), channels(args.channels), is_complex(args.planes == 2), re0(0), im0(0) {
    const auto count = static_cast<double>(channels);
    const double re_sum = over_channels(channels, [&](std::int64_t c) { return re(c); });
    const double im_sum = is_complex ? over_channels(channels, [&](std::int64_t c) { return im(c); }) : 0;
    re0 = static_cast<T>(re_sum / count);
    im0 = static_cast<T>(im_sum / count);
  }

  __device__ __forceinline__ double re(std::int64_t c) const {
    return static_cast<double>(__ldg(at + c) - re0);
  }
  __device__ __forceinline__ double im(std::int64_t c) const {
    return is_complex ? static_cast<double>(__ldg(at + channels + c) - im0) : 0;
  }

  /// Sum over channels of this run times the transpose of another, symmetrised.
  __device__ __forceinline__ Symmetric moments_with(const Centred& other) const {
    Symmetric sum{over_channels(channels, [&](std::int64_t c) { return re(c) * other.re(c); }), 0, 0};
    if (!is_complex) return sum;
    sum.ri = over_channels(channels,
                           [&](std::int64_t c) { return 0.5 * (re(c) * other.im(c) + im(c) * other.re(c)); });
    sum.ii = over_channels(channels, [&](std::int64_t c) { return im(c) * other.im(c); });
    return sum;
  }
};

/// out = M a + K b, in the planes that there are.
template <typename T>
__device__ __forceinline__ void store_mapped(const Symmetric& m, const Centred<T>& a, const Symmetric& k,
                                             const Centred<T>& b, T* out) {
  for (std::int64_t c = lane_index(kLanes); c < a.channels; c += kLanes) {
    const double a_re = a.re(c);
    const double a_im = a.im(c);
    const double b_re = b.re(c);
    const double b_im = b.im(c);
    out[c] = static_cast<T>(m.rr * a_re + m.ri * a_im + k.rr * b_re + k.ri * b_im);
    if (a.is_complex)
      out[a.channels + c] = static_cast<T>(m.ri * a_re + m.ii * a_im + k.ri * b_re + k.ii * b_im);
  }
}

/// With a gradient: dL/dx = M (g - mean g) + 2/f dL/dC (x - mean x).
template <typename T>
__global__ void __launch_bounds__(kThreads) whitened(const WhitenArgs<T> args) {
  const std::int64_t run = group_index(kLanes);
  if (run >= args.runs) return;  // a whole warp
  const std::int64_t first = run * args.planes * args.channels;
  const auto count = static_cast<double>(args.channels);
  const Centred<T> x(args.x + first, args);
  const Symmetric sum = x.moments_with(x);
  const InverseRoot root({sum.rr / count + args.epsilon, sum.ri / count, sum.ii / count + args.epsilon},
                         args.epsilon);
  if (args.g == nullptr) {
    store_mapped(root.inverse, x, Symmetric{0, 0, 0}, x, args.out + first);
    return;
  }
  const Centred<T> g(args.g + first, args);
  const Symmetric by_covariance = root.covariance_gradient(g.moments_with(x));
  const double scale = 2 / count;
  store_mapped(root.inverse, g,
               Symmetric{scale * by_covariance.rr, scale * by_covariance.ri, scale * by_covariance.ii}, x,
               args.out + first);
}

}  // namespace

template <typename T>
void launch_whiten(const WhitenArgs<T>& args, cudaStream_t stream) {
  if (args.runs == 0 || args.channels == 0) return;
  whitened<<<grid_for(args.runs, kLanes), kThreads, 0, stream>>>(args);
  launched("whiten");
}

template void launch_whiten<float>(const WhitenArgs<float>&, cudaStream_t);
template void launch_whiten<double>(const WhitenArgs<double>&, cudaStream_t);

}  // namespace dshn::ops::cuda
