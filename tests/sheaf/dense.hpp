#pragma once

#include <Eigen/Core>

#include "dshn/sheaf/directed_sheaf.hpp"

namespace dshn::sheaf {

/// B of the paper: block (e, u) is s_ue F_ue, md x nd.
Eigen::MatrixXcd dense_incidence(const DirectedSheaf& sheaf);

/// The matrix by its definition, Q = B^dagger W D_E^-1 B and what follows from it, with dense products and
/// nothing of the kernels: the oracle of the tests. Needs (nd)^2 numbers.
Eigen::MatrixXcd dense(const DirectedSheaf& sheaf, Form form);

}  // namespace dshn::sheaf
