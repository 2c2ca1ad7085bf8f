#pragma once

#include <cmath>
#include <cstdint>

#include "ops/symmetric_eigen.hpp"

/// The algebra of one incidence or one node on its d x d (or diagonal) block, shared by CPU and CUDA. Maps
/// are T, the nodes' blocks always double; a diagonal block holds its d numbers only.
namespace dshn::ops {

/// block += w F^T F.
template <typename T>
DSHN_HOST_DEVICE void add_degree(const T* f, double w, double* block, std::int64_t d, bool general) {
  if (!general) {
    for (std::int64_t k = 0; k < d; ++k) block[k] += w * double(f[k]) * double(f[k]);
    return;
  }
  for (std::int64_t k = 0; k < d; ++k) {
    for (std::int64_t a = 0; a < d; ++a) {
      const double fka = w * double(f[k * d + a]);
      for (std::int64_t b = 0; b < d; ++b) block[a * d + b] += fka * double(f[k * d + b]);
    }
  }
}

/// gF = w F (g + g^T) for the gradient g of D_u. Returns <F^T F, g>, this incidence's share of the weight's
/// gradient, as half of <F, F (g + g^T)>.
template <typename T>
DSHN_HOST_DEVICE double degree_gradient(const T* f, double w, const double* g, T* gf, std::int64_t d,
                                        bool general) {
  double share = 0;
  for (std::int64_t k = 0; k < (general ? d : 1); ++k) {
    for (std::int64_t a = 0; a < d; ++a) {
      double product = 0;
      if (general) {
        for (std::int64_t b = 0; b < d; ++b) product += double(f[k * d + b]) * (g[b * d + a] + g[a * d + b]);
      } else {
        product = 2 * double(f[a]) * g[a];
      }
      gf[k * d + a] = T(w * product);
      share += 0.5 * product * double(f[k * d + a]);
    }
  }
  return share;
}

/// Eigenvalues at or below this share of the block's largest count as zero, as in the golden cases.
constexpr double kNullShare = 1e-10;

/// Entries of a diagonal are known to the last digit each, whatever the others are: only what cannot be inverted
/// in float32 (maps below 1e-15) counts as zero.
constexpr double kNullEntry = 1e-30;

/// values: the diagonal with its null entries set to 0; out: its inverse roots, 0 there.
DSHN_HOST_DEVICE inline void inverse_sqrt_diagonal(const double* block, double* values, double* out,
                                                   std::int64_t k) {
  for (std::int64_t i = 0; i < k; ++i) {
    const bool null = !(block[i] > kNullEntry);
    values[i] = null ? 0 : block[i];
    out[i] = null ? 0 : 1 / std::sqrt(block[i]);
  }
}

/// out = V diag(l^(-1/2)) V^T with null eigenvalues l set to 0 and left out. `block` is destroyed.
DSHN_HOST_DEVICE inline void inverse_sqrt_general(double* block, double* v, double* l, double* out, int d) {
  symmetric_eigen(block, v, l, d);
  double largest = 0;
  for (int k = 0; k < d; ++k) largest = l[k] > largest ? l[k] : largest;
  for (int i = 0; i < d * d; ++i) out[i] = 0;
  for (int k = 0; k < d; ++k) {
    if (!(l[k] > kNullShare * largest)) {
      l[k] = 0;
      continue;
    }
    const double root = 1 / std::sqrt(l[k]);
    for (int a = 0; a < d; ++a) {
      for (int b = 0; b < d; ++b) out[a * d + b] += root * v[a * d + k] * v[b * d + k];
    }
  }
}

/// out = left right, d x d; with the flags a factor is read transposed, or the product is added to out.
template <typename L, typename R, typename O>
DSHN_HOST_DEVICE void multiply(const L* left, bool left_t, const R* right, bool right_t, O* out,
                               std::int64_t d, bool add = false) {
  for (std::int64_t a = 0; a < d; ++a) {
    for (std::int64_t b = 0; b < d; ++b) {
      double sum = 0;
      for (std::int64_t k = 0; k < d; ++k) {
        sum += double(left[left_t ? k * d + a : a * d + k]) * double(right[right_t ? b * d + k : k * d + b]);
      }
      out[a * d + b] = O(add ? double(out[a * d + b]) + sum : sum);
    }
  }
}

/// out = V (K o (V^T sym(g) V)) V^T with K_ij = -1 / (sqrt(l_i l_j) (sqrt(l_i) + sqrt(l_j))), zero on null
/// directions: the derivative of D^(-1/2) without differences of eigenvalues. `work` holds d * d numbers.
DSHN_HOST_DEVICE inline void inverse_sqrt_gradient(const double* g, const double* v, const double* l,
                                                   double* out, double* work, int d) {
  for (int a = 0; a < d; ++a) {
    for (int b = 0; b < d; ++b) out[a * d + b] = 0.5 * (g[a * d + b] + g[b * d + a]);
  }
  multiply(v, true, out, false, work, d);
  multiply(work, false, v, false, out, d);
  for (int a = 0; a < d; ++a) {
    for (int b = 0; b < d; ++b) {
      const double roots = std::sqrt(l[a]) * std::sqrt(l[b]);
      out[a * d + b] = roots > 0 ? -out[a * d + b] / (roots * (std::sqrt(l[a]) + std::sqrt(l[b]))) : 0;
    }
  }
  multiply(v, false, out, false, work, d);
  multiply(work, false, v, true, out, d);
}

/// out = F N.
template <typename T>
DSHN_HOST_DEVICE void scale_map(const T* f, const double* n, T* out, std::int64_t d, bool general) {
  if (general) {
    multiply(f, false, n, false, out, d);
    return;
  }
  for (std::int64_t k = 0; k < d; ++k) out[k] = T(double(f[k]) * n[k]);
}

/// gF = gM N^T,  gN += F^T gM.
template <typename T>
DSHN_HOST_DEVICE void scale_map_gradient(const T* gm, const T* f, const double* n, T* gf, double* gn,
                                         std::int64_t d, bool general) {
  if (general) {
    multiply(gm, false, n, true, gf, d);
    multiply(f, true, gm, false, gn, d, true);
    return;
  }
  for (std::int64_t k = 0; k < d; ++k) {
    gf[k] = T(double(gm[k]) * n[k]);
    gn[k] += double(f[k]) * double(gm[k]);
  }
}

}  // namespace dshn::ops
