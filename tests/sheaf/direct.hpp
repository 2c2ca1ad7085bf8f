#pragma once

#include "sheaf/eigen.hpp"
#include "sheaf/random_sheaf.hpp"

/// The operator once more, block by block from the paper's expanded formulas and from nothing of the library.
namespace dshn::test::direct {

/// Equation 'laplacian-expanded' for every pair of nodes.
MatrixXcd laplacian(const ListedSheaf& listed);
/// D_V, and its Moore-Penrose inverse root by singular values.
MatrixXd degrees(const ListedSheaf& listed);
MatrixXd inverse_root(const MatrixXd& degrees, std::int64_t d);

/// L, Q, L_N, Q_N or I - Q_N.
MatrixXcd matrix(const ListedSheaf& listed, sheaf::Form form);

/// Theorem 'dirichlet', the double sum over members as printed; per column of x.
VectorXd dirichlet_energy(const ListedSheaf& listed, const MatrixXcd& x, bool normalized);

}  // namespace dshn::test::direct
