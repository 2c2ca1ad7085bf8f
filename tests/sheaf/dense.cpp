#include "sheaf/dense.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>

#include "sheaf/restrictions.hpp"

namespace dshn::sheaf {
namespace {

using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Shares of the largest eigenvalue at or below this count as zero.
constexpr double kNullShare = 1e-10;

/// W D_E^-1 with the sums of the incidences' weights as sizes; an empty hyperedge has no members to divide among.
VectorXd hyperedge_scales(const Hypergraph& h, std::int64_t d) {
  VectorXd scales(h.edge_count() * d);
  for (Index e = 0; e < h.edge_count(); ++e) {
    double size = 0;
    for (Offset i = h.edge_ptr()[e]; i < h.edge_ptr()[e + 1]; ++i) size += h.incidence_weight(i);
    scales.segment(e * d, d).setConstant(size > 0 ? h.weight(e) / size : 0);
  }
  return scales;
}

/// D_V = blocks sum_e w_e m F^T F, with the identity where the sheaf adds it.
MatrixXd node_degrees(const DirectedSheaf& sheaf, const MatrixXcd& incidence) {
  const Hypergraph& h = sheaf.hypergraph();
  const std::int64_t d = sheaf.stalk_dimension();
  MatrixXd degrees = MatrixXd::Zero(sheaf.dimension(), sheaf.dimension());
  if (sheaf.degree() == Degree::plus_identity) degrees.setIdentity();
  for (Index e = 0; e < h.edge_count(); ++e) {
    for (Offset i = h.edge_ptr()[e]; i < h.edge_ptr()[e + 1]; ++i) {
      const Index u = h.member_nodes()[i];
      const MatrixXcd block = incidence.block(e * d, u * d, d, d);  // m F
      degrees.block(u * d, u * d, d, d) +=
          h.weight(e) / h.incidence_weight(i) * (block.adjoint() * block).real();
    }
  }
  return degrees;
}

/// The function of D_V block by block: l^power for eigenvalues that are not null, else 0.
MatrixXd degree_power(const MatrixXd& degrees, std::int64_t d, double power) {
  MatrixXd result = MatrixXd::Zero(degrees.rows(), degrees.cols());
  for (std::int64_t at = 0; at < degrees.rows(); at += d) {
    const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(degrees.block(at, at, d, d));
    const VectorXd& values = solver.eigenvalues();
    VectorXd powers = VectorXd::Zero(d);
    for (std::int64_t k = 0; k < d; ++k) {
      if (values[k] > kNullShare * values.maxCoeff()) powers[k] = std::pow(values[k], power);
    }
    result.block(at, at, d, d) =
        solver.eigenvectors() * powers.asDiagonal() * solver.eigenvectors().transpose();
  }
  return result;
}

}  // namespace

MatrixXcd dense_incidence(const DirectedSheaf& sheaf) {
  const Hypergraph& h = sheaf.hypergraph();
  const std::int64_t d = sheaf.stalk_dimension();
  const MapEntries maps(sheaf.maps(), d);
  MatrixXcd incidence = MatrixXcd::Zero(h.edge_count() * d, sheaf.dimension());
  for (Index e = 0; e < h.edge_count(); ++e) {
    for (Offset i = h.edge_ptr()[e]; i < h.edge_ptr()[e + 1]; ++i) {
      const Complex s = h.role(e, i) == Role::tail ? tail_phase(sheaf.charge()) : Complex(1);
      for (std::int64_t a = 0; a < d; ++a) {
        for (std::int64_t b = 0; b < d; ++b) {
          incidence(e * d + a, h.member_nodes()[i] * d + b) = h.incidence_weight(i) * s * maps.entry(i, a, b);
        }
      }
    }
  }
  return incidence;
}

MatrixXcd dense(const DirectedSheaf& sheaf, Form form) {
  const std::int64_t d = sheaf.stalk_dimension();
  const MatrixXcd b = dense_incidence(sheaf);
  const MatrixXcd q = b.adjoint() * hyperedge_scales(sheaf.hypergraph(), d).cast<Complex>().asDiagonal() * b;
  if (form == Form::Q) return q;
  const MatrixXd degrees = node_degrees(sheaf, b);
  if (form == Form::L) return degrees - q;
  const MatrixXd root = degree_power(degrees, d, -0.5);
  const MatrixXcd q_n = root * q * root;
  if (form == Form::Q_N) return q_n;
  if (form == Form::L_N) return degree_power(degrees, d, 0) - q_n;
  return MatrixXcd::Identity(q.rows(), q.cols()) - q_n;
}

}  // namespace dshn::sheaf
