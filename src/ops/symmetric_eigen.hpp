#pragma once

#include <cmath>

// Shared by the CPU and the CUDA kernels.
#ifdef __CUDACC__
#define DSHN_HOST_DEVICE __host__ __device__
#else
#define DSHN_HOST_DEVICE
#endif

namespace dshn::ops {

/// Eigen-decomposition A = V diag(values) V^T of a small symmetric matrix by cyclic Jacobi rotations, which
/// keep the relative accuracy of small eigenvalues of positive matrices and need no care with repeated ones.
/// `a` is destroyed. Row-major d x d; column j of v belongs to values[j].
DSHN_HOST_DEVICE inline void symmetric_eigen(double* a, double* v, double* values, int d) {
  constexpr int kMaxSweeps = 50;
  for (int i = 0; i < d * d; ++i) v[i] = (i % (d + 1) == 0) ? 1.0 : 0.0;
  for (int sweep = 0; sweep < kMaxSweeps; ++sweep) {
    bool rotated = false;
    for (int p = 0; p < d; ++p) {
      for (int r = p + 1; r < d; ++r) {
        const double apr = a[p * d + r];
        if (std::fabs(apr) <= 1e-17 * std::sqrt(std::fabs(a[p * d + p] * a[r * d + r]))) continue;
        rotated = true;
        const double theta = (a[r * d + r] - a[p * d + p]) / (2 * apr);
        const double t = (theta >= 0 ? 1.0 : -1.0) / (std::fabs(theta) + std::sqrt(theta * theta + 1));
        const double c = 1 / std::sqrt(t * t + 1);
        const double s = t * c;
        for (int k = 0; k < d; ++k) {
          const double akp = a[k * d + p];
          const double akr = a[k * d + r];
          a[k * d + p] = c * akp - s * akr;
          a[k * d + r] = s * akp + c * akr;
        }
        for (int k = 0; k < d; ++k) {
          const double apk = a[p * d + k];
          const double ark = a[r * d + k];
          a[p * d + k] = c * apk - s * ark;
          a[r * d + k] = s * apk + c * ark;
          const double vkp = v[k * d + p];
          const double vkr = v[k * d + r];
          v[k * d + p] = c * vkp - s * vkr;
          v[k * d + r] = s * vkp + c * vkr;
        }
        a[p * d + r] = a[r * d + p] = 0;
      }
    }
    if (!rotated) break;
  }
  for (int i = 0; i < d; ++i) values[i] = a[i * d + i];
}

/// Eigenvalues at or below this share of the largest count as zero, as in the golden cases.
constexpr double kNullShare = 1e-10;

}  // namespace dshn::ops
