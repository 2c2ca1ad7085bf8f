#pragma once

#include <cmath>

#include "ops/host_device.hpp"

namespace dshn::ops {

/// One Jacobi rotation in the plane (p, r): makes a[p][r] zero and turns the columns of v along.
DSHN_HOST_DEVICE inline void jacobi_rotation(double* a, double* v, int p, int r, int d) {
  const double theta = (a[r * d + r] - a[p * d + p]) / (2 * a[p * d + r]);
  const double t = (theta >= 0 ? 1.0 : -1.0) / (std::fabs(theta) + std::sqrt(theta * theta + 1));
  const double c = 1 / std::sqrt(t * t + 1);
  const double s = t * c;
  const auto turn = [c, s](double& at_p, double& at_r) {
    const double old_p = at_p;
    at_p = c * old_p - s * at_r;
    at_r = s * old_p + c * at_r;
  };
  for (int k = 0; k < d; ++k) turn(a[k * d + p], a[k * d + r]);
  for (int k = 0; k < d; ++k) {
    turn(a[p * d + k], a[r * d + k]);
    turn(v[k * d + p], v[k * d + r]);
  }
  a[p * d + r] = a[r * d + p] = 0;
}

/// Eigen-decomposition A = V diag(values) V^T of a small symmetric matrix by cyclic Jacobi rotations, which
/// keep the relative accuracy of small eigenvalues of positive matrices and need no care with repeated ones.
/// `a` is destroyed. Row-major d x d; column j of v belongs to values[j].
DSHN_HOST_DEVICE inline void symmetric_eigen(double* a, double* v, double* values, int d) {
  constexpr int kMaxSweeps = 50;
  constexpr double kNegligible = 1e-17;
  for (int i = 0; i < d * d; ++i) v[i] = (i % (d + 1) == 0) ? 1.0 : 0.0;
  bool rotated = true;
  for (int sweep = 0; rotated && sweep < kMaxSweeps; ++sweep) {
    rotated = false;
    for (int p = 0; p < d; ++p) {
      for (int r = p + 1; r < d; ++r) {
        const double scale = std::sqrt(std::fabs(a[p * d + p] * a[r * d + r]));
        if (std::fabs(a[p * d + r]) <= kNegligible * scale) continue;
        jacobi_rotation(a, v, p, r, d);
        rotated = true;
      }
    }
  }
  for (int i = 0; i < d; ++i) values[i] = a[i * d + i];
}

}  // namespace dshn::ops
