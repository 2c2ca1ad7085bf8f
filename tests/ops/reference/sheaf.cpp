#include "ops/reference/sheaf.hpp"

#include <Eigen/Dense>
#include <numbers>

namespace dshn::ops::reference {
namespace {

/// s_ue: 1 on heads, exp(-2 pi i q) on tails.
std::complex<double> phase(const Sheaf& sheaf, Index e, Offset incidence) {
  if (sheaf.hypergraph->role(e, incidence) == Role::head) return 1.0;
  return std::polar(1.0, -2 * std::numbers::pi * sheaf.q);
}

/// y_u += factor * F_ue^T F_ve x_v.
void add_block(const Sheaf& sheaf, Offset ue, Offset ve, std::complex<double> factor, const Signal& x,
               std::int64_t f, Signal& y) {
  const std::int64_t d = sheaf.d;
  const std::int64_t u = sheaf.hypergraph->member_nodes()[ue];
  const std::int64_t v = sheaf.hypergraph->member_nodes()[ve];
  for (std::int64_t a = 0; a < d; ++a) {
    for (std::int64_t b = 0; b < d; ++b) {
      double product = 0;  // (F_ue^T F_ve)_ab
      for (std::int64_t k = 0; k < d; ++k) product += sheaf.map(ue, k, a) * sheaf.map(ve, k, b);
      for (std::int64_t c = 0; c < f; ++c)
        y[(u * d + a) * f + c] += factor * product * x[(v * d + b) * f + c];
    }
  }
}

/// N_u x_u for every node.
Signal apply_blocks(const Blocks& blocks, const Signal& x, std::int64_t d, std::int64_t f) {
  Signal y(x.size());
  const auto n = static_cast<std::int64_t>(blocks.size()) / (d * d);
  for (std::int64_t u = 0; u < n; ++u) {
    for (std::int64_t a = 0; a < d; ++a) {
      for (std::int64_t b = 0; b < d; ++b) {
        for (std::int64_t c = 0; c < f; ++c)
          y[(u * d + a) * f + c] += blocks[(u * d + a) * d + b] * x[(u * d + b) * f + c];
      }
    }
  }
  return y;
}

}  // namespace

Signal signless(const Sheaf& sheaf, const Signal& x, std::int64_t f) {
  const Hypergraph& h = *sheaf.hypergraph;
  Signal y(x.size());
  for (Index e = 0; e < h.edge_count(); ++e) {
    double members = 0;
    for (Offset ue = h.edge_ptr()[e]; ue < h.edge_ptr()[e + 1]; ++ue) members += h.incidence_weight(ue);
    const double scale = h.weight(e) / members;
    for (Offset ue = h.edge_ptr()[e]; ue < h.edge_ptr()[e + 1]; ++ue) {
      for (Offset ve = h.edge_ptr()[e]; ve < h.edge_ptr()[e + 1]; ++ve) {
        const double share = scale * h.incidence_weight(ue) * h.incidence_weight(ve);
        add_block(sheaf, ue, ve, share * std::conj(phase(sheaf, e, ue)) * phase(sheaf, e, ve), x, f, y);
      }
    }
  }
  return y;
}

Blocks degree_blocks(const Sheaf& sheaf) {
  const Hypergraph& h = *sheaf.hypergraph;
  const std::int64_t d = sheaf.d;
  Blocks result(h.node_count() * d * d);
  for (Index e = 0; e < h.edge_count(); ++e) {
    for (Offset ue = h.edge_ptr()[e]; ue < h.edge_ptr()[e + 1]; ++ue) {
      const std::int64_t u = h.member_nodes()[ue];
      for (std::int64_t a = 0; a < d; ++a) {
        for (std::int64_t b = 0; b < d; ++b) {
          for (std::int64_t k = 0; k < d; ++k)
            result[(u * d + a) * d + b] +=
                h.weight(e) * h.incidence_weight(ue) * sheaf.map(ue, k, a) * sheaf.map(ue, k, b);
        }
      }
    }
  }
  return result;
}

Blocks inverse_sqrt(const Blocks& blocks, std::int64_t d) {
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Blocks result(blocks.size());
  for (std::size_t at = 0; at < blocks.size(); at += d * d) {
    const Eigen::SelfAdjointEigenSolver<Matrix> solver(Eigen::Map<const Matrix>(blocks.data() + at, d, d));
    const Eigen::VectorXd& values = solver.eigenvalues();
    const double least = 1e-10 * values.maxCoeff();  // what counts as zero, as in dshn/ops/sheaf.hpp
    const Eigen::VectorXd roots = (values.array() > least).select(values.array().max(least).rsqrt(), 0.0);
    Eigen::Map<Matrix>(result.data() + at, d, d) =
        solver.eigenvectors() * roots.asDiagonal() * solver.eigenvectors().transpose();
  }
  return result;
}

Signal diffuse(const Sheaf& sheaf, const Signal& x, std::int64_t f) {
  const Blocks n = inverse_sqrt(degree_blocks(sheaf), sheaf.d);
  return apply_blocks(n, signless(sheaf, apply_blocks(n, x, sheaf.d, f), f), sheaf.d, f);
}

}  // namespace dshn::ops::reference
