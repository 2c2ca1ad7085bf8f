#include "sheaf/direct.hpp"

#include <Eigen/SVD>
#include <numbers>

namespace dshn::test::direct {
namespace {

/// S of Definition 'directed-cellular-sheaf-hypergraph'.
Complex phase(const ListedSheaf& listed, Role role) {
  const double angle = -2 * std::numbers::pi * listed.q;
  return role == Role::head ? Complex(1, 0) : Complex(std::cos(angle), std::sin(angle));
}

const Member* find(const std::vector<Member>& members, Index node) {
  for (const Member& member : members) {
    if (member.node == node) return &member;
  }
  return nullptr;
}

}  // namespace

MatrixXcd laplacian(const ListedSheaf& listed) {
  const std::int64_t d = listed.d;
  MatrixXcd result = MatrixXcd::Zero(listed.n * d, listed.n * d);
  for (Index u = 0; u < listed.n; ++u) {
    for (Index v = 0; v < listed.n; ++v) {
      for (std::size_t e = 0; e < listed.edges.size(); ++e) {
        const Member* at_u = find(listed.edges[e], u);
        const Member* at_v = find(listed.edges[e], v);
        if (at_u == nullptr || at_v == nullptr) continue;
        const double share = at_u->times * at_v->times / listed.size(e);
        const MatrixXcd product = (at_u->map.transpose() * at_v->map).cast<Complex>();
        const Complex phases = std::conj(phase(listed, at_u->role)) * phase(listed, at_v->role);
        const Complex factor = u == v ? Complex(at_u->times - share) : -share * phases;
        result.block(u * d, v * d, d, d) += listed.weight(e) * factor * product;
      }
    }
  }
  return result;
}

MatrixXd degrees(const ListedSheaf& listed) {
  const std::int64_t d = listed.d;
  MatrixXd result = MatrixXd::Zero(listed.n * d, listed.n * d);
  for (std::size_t e = 0; e < listed.edges.size(); ++e) {
    for (const Member& member : listed.edges[e]) {
      result.block(member.node * d, member.node * d, d, d) +=
          listed.weight(e) * member.times * member.map.transpose() * member.map;
    }
  }
  return result;
}

MatrixXd inverse_root(const MatrixXd& degrees, std::int64_t d) {
  MatrixXd result = MatrixXd::Zero(degrees.rows(), degrees.cols());
  for (std::int64_t at = 0; at < degrees.rows(); at += d) {
    const Eigen::JacobiSVD<MatrixXd> svd(degrees.block(at, at, d, d),
                                         Eigen::ComputeFullU | Eigen::ComputeFullV);
    const VectorXd& values = svd.singularValues();
    for (std::int64_t k = 0; k < d; ++k) {
      if (!(values[k] > 1e-10 * values[0])) continue;
      result.block(at, at, d, d) +=
          svd.matrixU().col(k) * svd.matrixV().col(k).transpose() / std::sqrt(values[k]);
    }
  }
  return result;
}

MatrixXcd matrix(const ListedSheaf& listed, sheaf::Form form) {
  const MatrixXcd l = laplacian(listed);
  const MatrixXd degree = degrees(listed);
  const MatrixXd root = inverse_root(degree, listed.d);
  const MatrixXcd l_n = root * l * root;
  const MatrixXcd q_n = root * (degree - l) * root;
  switch (form) {
    case sheaf::Form::L:
      return l;
    case sheaf::Form::Q:
      return degree - l;
    case sheaf::Form::L_N:
      return l_n;
    case sheaf::Form::Q_N:
      return q_n;
    case sheaf::Form::I_minus_Q_N:
      return MatrixXcd::Identity(q_n.rows(), q_n.cols()) - q_n;
  }
  return {};
}

VectorXd dirichlet_energy(const ListedSheaf& listed, const MatrixXcd& x, bool normalized) {
  const std::int64_t d = listed.d;
  const MatrixXcd z = normalized ? MatrixXcd(inverse_root(degrees(listed), d) * x) : x;
  VectorXd energy = VectorXd::Zero(x.cols());
  for (std::size_t e = 0; e < listed.edges.size(); ++e) {
    const double share = listed.weight(e) / (2.0 * listed.size(e));
    for (const Member& u : listed.edges[e]) {
      for (const Member& v : listed.edges[e]) {
        const MatrixXcd difference =
            phase(listed, u.role) * u.map.cast<Complex>() * z.middleRows(u.node * d, d) -
            phase(listed, v.role) * v.map.cast<Complex>() * z.middleRows(v.node * d, d);
        energy += share * u.times * v.times * difference.colwise().squaredNorm().transpose();
      }
    }
  }
  return energy;
}

}  // namespace dshn::test::direct
