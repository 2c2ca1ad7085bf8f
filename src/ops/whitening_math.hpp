#pragma once

#include <cmath>

#include "ops/host_device.hpp"

namespace dshn::ops {

/// [rr, ri; ri, ii]. A real run has ri = 0 and a constant ii, which leave rr alone in all that follows.
struct Symmetric {
  double rr, ri, ii;
};

/// M P M
DSHN_HOST_DEVICE DSHN_ALWAYS_INLINE Symmetric sandwich(const Symmetric& m, const Symmetric& p) {
  const double a = m.rr * p.rr + m.ri * p.ri;
  const double b = m.rr * p.ri + m.ri * p.ii;
  const double c = m.ri * p.rr + m.ii * p.ri;
  const double d = m.ri * p.ri + m.ii * p.ii;
  return {a * m.rr + b * m.ri, a * m.ri + b * m.ii, c * m.ri + d * m.ii};
}

/// C^(-1/2). With s = sqrt(det C) and t = sqrt(trace C + 2 s), the root is (C + s I) / t, with determinant s
/// and trace t, and its inverse follows from its adjugate.
struct InverseRoot {
  Symmetric inverse;
  double s, t;

  /// Both eigenvalues of C are at least epsilon; rounding may say otherwise.
  DSHN_HOST_DEVICE DSHN_ALWAYS_INLINE InverseRoot(const Symmetric& c, double epsilon) {
    const double determinant = c.rr * c.ii - c.ri * c.ri;
    s = std::sqrt(determinant > epsilon * epsilon ? determinant : epsilon * epsilon);
    t = std::sqrt(c.rr + c.ii + 2 * s);
    inverse = {(c.ii + s) / (s * t), -c.ri / (s * t), (c.rr + s) / (s * t)};
  }

  /// dL/dC for S = dL/dM, M the inverse root B^(-1): dL/dB = -M S M = P, and X with B X + X B = P is
  /// (det B P + adj B P adj B) / (2 tr B det B) for 2 x 2 matrices.
  DSHN_HOST_DEVICE DSHN_ALWAYS_INLINE Symmetric covariance_gradient(const Symmetric& by_inverse) const {
    const Symmetric p = sandwich(inverse, by_inverse);
    const Symmetric mpm = sandwich(inverse, p);
    const double scale = -1 / (2 * t);
    return {scale * (p.rr + s * mpm.rr), scale * (p.ri + s * mpm.ri), scale * (p.ii + s * mpm.ii)};
  }
};

}  // namespace dshn::ops
