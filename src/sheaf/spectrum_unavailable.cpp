#include "dshn/base/error.hpp"
#include "dshn/sheaf/spectrum.hpp"

namespace dshn::sheaf {

bool has_spectrum() {
  return false;
}

Eigenpairs extreme_eigenpairs(const DirectedSheaf& /*sheaf*/, const SpectrumOptions& /*options*/) {
  throw Failure(
      "eigenvalues: this build has no Spectra; install it and Eigen (Debian: libspectra-dev, libeigen3-dev) "
      "and build "
      "again");
}

}  // namespace dshn::sheaf
