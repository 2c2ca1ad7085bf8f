#pragma once

// Whitening of one run: the planes of one stalk component of one row. For files that are compiled once per
// instruction set.
#include "ops/cpu/dense_kernels.hpp"
#include "ops/cpu/row_loops.hpp"
#include "ops/whitening_math.hpp"

namespace dshn::ops::cpu::DSHN_ISA {

template <typename T>
T mean(const T* row, std::int64_t size) {
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::int64_t c = 0; c < size; ++c) sum += static_cast<double>(row[c]);
  return static_cast<T>(sum / static_cast<double>(size));
}

/// Sum over channels of (a - a0) (b - b0).
template <typename T>
double centred_dot(const T* a, T a0, const T* b, T b0, std::int64_t size) {
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::int64_t c = 0; c < size; ++c)
    sum += static_cast<double>(a[c] - a0) * static_cast<double>(b[c] - b0);
  return sum;
}

/// What whitens one run.
template <typename T>
struct Whitening {
  T re0, im0;
  InverseRoot root;

  Whitening(const WhitenArgs<T>& args, const T* re)
      : re0(mean(re, args.channels)),
        im0(args.planes == 2 ? mean(re + args.channels, args.channels) : T(0)),
        root(covariance(args, re), args.epsilon) {}

 private:
  Symmetric covariance(const WhitenArgs<T>& args, const T* re) const {
    const std::int64_t f = args.channels;
    const T* im = re + f;
    const auto count = static_cast<double>(f);
    Symmetric c{centred_dot(re, re0, re, re0, f) / count + args.epsilon, 0, args.epsilon};
    if (args.planes == 2) {
      c.ri = centred_dot(re, re0, im, im0, f) / count;
      c.ii += centred_dot(im, im0, im, im0, f) / count;
    }
    return c;
  }
};

/// out += M (re - re0, im - im0), or the plane that there is of it.
template <typename T>
void add_mapped(const WhitenArgs<T>& args, const Symmetric& m, const T* __restrict re, T re0, T im0,
                T* __restrict out) {
  const std::int64_t f = args.channels;
  const auto rr = static_cast<T>(m.rr);
  if (args.planes == 1) {
#pragma omp simd
    for (std::int64_t c = 0; c < f; ++c) out[c] += rr * (re[c] - re0);
    return;
  }
  const auto ri = static_cast<T>(m.ri);
  const auto ii = static_cast<T>(m.ii);
  const T* __restrict im = re + f;
  T* __restrict out_im = out + f;
#pragma omp simd
  for (std::int64_t c = 0; c < f; ++c) {
    out[c] += rr * (re[c] - re0) + ri * (im[c] - im0);
    out_im[c] += ri * (re[c] - re0) + ii * (im[c] - im0);
  }
}

template <typename T>
void whiten(const WhitenArgs<T>& args, std::int64_t begin, std::int64_t end) {
  const std::int64_t run = args.planes * args.channels;
  for (std::int64_t r = begin; r < end; ++r) {
    const T* re = args.in + r * run;
    const Whitening<T> by(args, re);
    std::fill_n(args.out + r * run, run, T(0));
    add_mapped(args, by.root.inverse, re, by.re0, by.im0, args.out + r * run);
  }
}

/// dL/dx = M (g - mean g) + 2/f dL/dC (x - mean x).
template <typename T>
void whiten_gradient(const WhitenArgs<T>& args, std::int64_t begin, std::int64_t end) {
  const std::int64_t f = args.channels;
  const std::int64_t run = args.planes * f;
  for (std::int64_t r = begin; r < end; ++r) {
    const T* re = args.in + r * run;
    const T* g = args.g + r * run;
    const Whitening<T> by(args, re);
    Symmetric by_inverse{centred_dot(g, T(0), re, by.re0, f), 0, 0};
    if (args.planes == 2) {
      by_inverse.ri =
          0.5 * (centred_dot(g, T(0), re + f, by.im0, f) + centred_dot(g + f, T(0), re, by.re0, f));
      by_inverse.ii = centred_dot(g + f, T(0), re + f, by.im0, f);
    }
    const Symmetric x = by.root.covariance_gradient(by_inverse);
    const double scale = 2 / static_cast<double>(f);
    T* out = args.out + r * run;
    std::fill_n(out, run, T(0));
    add_mapped(args, by.root.inverse, g, mean(g, f), args.planes == 2 ? mean(g + f, f) : T(0), out);
    add_mapped(args, {scale * x.rr, scale * x.ri, scale * x.ii}, re, by.re0, by.im0, out);
  }
}

}  // namespace dshn::ops::cpu::DSHN_ISA
