#include "dshn/sheaf/spectrum.hpp"

#include <ATen/ATen.h>
#include <Spectra/SymEigsSolver.h>
#include <fmt/format.h>

#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>

#include "dshn/base/error.hpp"
#include "dshn/base/random.hpp"

namespace dshn::sheaf {
namespace {

using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Up to this dimension a dense decomposition is faster than iterating.
constexpr std::int64_t kDense = 256;

/// A symmetric operator whose wanted eigenvalues are the largest, between scale and 2 scale, so that a
/// relative tolerance is meaningful even for eigenvalue 0: scale + A, or scale - A for the smallest.
class Shifted {
 public:
  using Scalar = double;

  Shifted(const DirectedSheaf& sheaf, const SpectrumOptions& options)
      : sheaf_(sheaf),
        form_(options.form),
        sign_(options.end == End::largest ? 1.0 : -1.0),
        scale_(sheaf.spectral_bound(options.form)),
        basis_(rows(), 0) {
    if (scale_ <= 0) scale_ = 1;
  }

  // Names that Spectra calls.
  Eigen::Index rows() const { return sheaf_.dimension() * sheaf_.planes(); }
  Eigen::Index cols() const { return rows(); }
  void perform_op(const double* in, double* out) const {
    VectorXd x = Eigen::Map<const VectorXd>(in, rows());
    project_out(x);
    VectorXd y = scale_ * x + sign_ * apply(x);
    project_out(y);
    Eigen::Map<VectorXd>(out, rows()) = y;
  }

  /// A x, for one channel: planes of a channel lie side by side, so x is also an array of complex numbers.
  VectorXd apply(const VectorXd& x) const {
    const at::Tensor signal = at::empty(shape(1), at::kDouble);
    std::copy_n(x.data(), rows(), signal.data_ptr<double>());
    const at::Tensor result = sheaf_.apply(form_, signal).contiguous();
    ++products_;
    return Eigen::Map<const VectorXd>(result.data_ptr<double>(), rows());
  }

  /// Locks the direction of v and, where signals are complex, of i v. False when v depends on what is locked.
  bool lock(VectorXd v) {
    for (int pass = 0; pass < 2; ++pass) {
      const double before = v.norm();
      project_out(v);
      if (!(v.norm() > 0.1 * before)) return false;
      v.normalize();
    }
    const std::int64_t planes = sheaf_.planes();
    basis_.conservativeResize(Eigen::NoChange, basis_.cols() + planes);
    basis_.col(basis_.cols() - planes) = v;
    if (planes == 2) basis_.col(basis_.cols() - 1) = times_i(v);
    return true;
  }

  /// Brings v to unit length among what is not locked; its eigenvalue, where it is an eigenvector there.
  std::optional<double> eigenvalue_of(VectorXd& v, double tolerance) const {
    project_out(v);
    v.normalize();
    VectorXd image(rows());
    perform_op(v.data(), image.data());
    const double value = v.dot(image);
    if ((image - value * v).norm() > tolerance * scale_) return std::nullopt;
    return value;
  }

  std::int64_t locked() const { return basis_.cols() / sheaf_.planes(); }
  VectorXd vector(std::int64_t j) const { return basis_.col(j * sheaf_.planes()); }
  /// From the order of eigenvalues of this operator back to A's.
  double original(double shifted) const { return sign_ * (shifted - scale_); }
  double shifted(double original) const { return scale_ + sign_ * original; }
  double scale() const { return scale_; }
  std::int64_t products() const { return products_; }
  at::DimVector shape(std::int64_t channels) const {
    return {sheaf_.hypergraph().node_count(), sheaf_.stalk_dimension(), sheaf_.planes(), channels};
  }

 private:
  void project_out(VectorXd& x) const {
    if (basis_.cols() > 0) x -= basis_ * (basis_.transpose() * x).eval();
  }

  static VectorXd times_i(const VectorXd& v) {
    VectorXd result(v.size());
    for (Eigen::Index j = 0; j < v.size(); j += 2) {
      result[j] = -v[j + 1];
      result[j + 1] = v[j];
    }
    return result;
  }

  const DirectedSheaf& sheaf_;
  Form form_;
  double sign_;
  double scale_;
  MatrixXd basis_;  // orthonormal
  mutable std::int64_t products_ = 0;
};

/// Values and residuals of unit vectors, ordered from the chosen end.
Eigenpairs report(const Shifted& shifted, const std::vector<VectorXd>& vectors,
                  const SpectrumOptions& options) {
  std::vector<double> values;
  std::vector<double> residuals;
  for (const VectorXd& v : vectors) {
    const VectorXd image = shifted.apply(v);
    values.push_back(v.dot(image));
    residuals.push_back((image - values.back() * v).norm());
  }
  std::vector<std::size_t> order(vectors.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return shifted.shifted(values[a]) > shifted.shifted(values[b]);
  });
  order.resize(std::min(order.size(), static_cast<std::size_t>(options.count)));

  Eigenpairs pairs;
  const auto count = static_cast<std::int64_t>(order.size());
  pairs.vectors = at::empty(shifted.shape(count), at::kDouble);
  auto* out = pairs.vectors.data_ptr<double>();
  for (std::int64_t j = 0; j < count; ++j) {
    pairs.values.push_back(values[order[j]]);
    pairs.residuals.push_back(residuals[order[j]]);
    for (Eigen::Index r = 0; r < shifted.rows(); ++r) out[r * count + j] = vectors[order[j]][r];
  }
  pairs.converged = count == options.count;
  for (const double residual : pairs.residuals) {
    if (!(residual <= options.tolerance * shifted.scale())) pairs.converged = false;
  }
  return pairs;
}

/// All eigenvectors of the matrix whose columns are the images of the unit vectors.
Eigenpairs solve_densely(const DirectedSheaf& sheaf, const Shifted& shifted, const SpectrumOptions& options) {
  const std::int64_t size = sheaf.dimension();
  const at::Tensor identity = to_planar(at::eye(size, at::kDouble), sheaf.stalk_dimension(), sheaf.planes());
  const at::Tensor images = to_complex(sheaf.apply(options.form, identity)).contiguous();
  using RowMajor = Eigen::Matrix<std::complex<double>, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto* entries =
      reinterpret_cast<const std::complex<double>*>(images.data_ptr<c10::complex<double>>());
  const Eigen::SelfAdjointEigenSolver<MatrixXcd> solver(
      MatrixXcd(Eigen::Map<const RowMajor>(entries, size, size)));
  std::vector<VectorXd> vectors;
  for (std::int64_t j = 0; j < options.count; ++j) {
    const auto column = solver.eigenvectors().col(options.end == End::smallest ? j : size - 1 - j);
    VectorXd v(shifted.rows());
    for (std::int64_t r = 0; r < size; ++r) {
      v[r * sheaf.planes()] = column[r].real();
      if (sheaf.planes() == 2) v[2 * r + 1] = column[r].imag();
    }
    vectors.push_back(v);
  }
  Eigenpairs pairs = report(shifted, vectors, options);
  pairs.products = shifted.products() + size;
  return pairs;
}

struct Round {
  std::vector<VectorXd> vectors;
  double best = -std::numeric_limits<double>::infinity();
};

/// The best converged pairs of what is not locked yet.
Round search(const Shifted& shifted, std::int64_t wanted, const SpectrumOptions& options, Random& random) {
  const Eigen::Index rows = shifted.rows();
  const Eigen::Index nev = std::min<Eigen::Index>(wanted, rows - 2);
  const Eigen::Index ncv = std::min<Eigen::Index>(2 * nev + 20, rows);
  VectorXd start(rows);
  for (Eigen::Index r = 0; r < rows; ++r) start[r] = random.normal();
  // Where all eigenvalues that are left are equal, any vector is an eigenvector, and Spectra divides by nothing.
  if (const auto value = shifted.eigenvalue_of(start, 0.1 * options.tolerance)) return {{start}, *value};
  auto& op = const_cast<Shifted&>(shifted);  // Spectra's constructor takes a reference it does not write to
  Spectra::SymEigsSolver<Shifted> solver(op, nev, ncv);
  solver.init(start.data());
  solver.compute(Spectra::SortRule::LargestAlge, options.max_restarts, 0.1 * options.tolerance);
  const VectorXd values = solver.eigenvalues();
  const MatrixXd vectors = solver.eigenvectors();
  Round round;
  for (Eigen::Index j = 0; j < values.size(); ++j) {
    round.vectors.emplace_back(vectors.col(j));
    round.best = std::max(round.best, values[j]);
  }
  return round;
}

/// The value of the count-th best locked vector, as an eigenvalue of the shifted operator; minus infinity
/// while there are fewer.
double cutoff(const Shifted& shifted, std::vector<double>& known, std::int64_t count) {
  for (auto j = static_cast<std::int64_t>(known.size()); j < shifted.locked(); ++j) {
    const VectorXd v = shifted.vector(j);
    known.push_back(shifted.shifted(v.dot(shifted.apply(v))));
  }
  if (static_cast<std::int64_t>(known.size()) < count) return -std::numeric_limits<double>::infinity();
  std::vector<double> sorted = known;
  std::nth_element(sorted.begin(), sorted.begin() + (count - 1), sorted.end(), std::greater<>());
  return sorted[count - 1];
}

Eigenpairs solve_iteratively(Shifted& shifted, const SpectrumOptions& options) {
  Random random(options.seed);
  std::vector<double> known;
  bool complete = false;
  // Every round that does not finish finds an eigenvector before the cutoff, of which there are fewer than
  // count.
  for (std::int64_t rounds = 0; rounds < 2 * options.count + 10 && !complete; ++rounds) {
    const double last = cutoff(shifted, known, options.count);
    const std::int64_t missing = std::max<std::int64_t>(options.count - shifted.locked(), 1);
    const Round round = search(shifted, missing, options, random);
    if (round.vectors.empty()) break;
    complete = round.best <= last + options.tolerance * shifted.scale();
    if (complete) break;
    bool progress = false;
    for (const VectorXd& v : round.vectors) progress = shifted.lock(v) || progress;
    if (!progress) break;
  }
  std::vector<VectorXd> vectors;
  for (std::int64_t j = 0; j < shifted.locked(); ++j) vectors.push_back(shifted.vector(j));
  Eigenpairs pairs = report(shifted, vectors, options);
  pairs.converged = pairs.converged && complete;
  pairs.products = shifted.products();
  return pairs;
}

}  // namespace

bool has_spectrum() {
  return true;
}

Eigenpairs extreme_eigenpairs(const DirectedSheaf& sheaf, const SpectrumOptions& options) {
  if (options.count < 1 || options.count > sheaf.dimension()) {
    throw UsageError(fmt::format("count: expected 1 to {} (nodes times stalk dimension) eigenvalues, got {}",
                                 sheaf.dimension(), options.count));
  }
  if (!(options.tolerance > 0)) {
    throw UsageError(fmt::format("tolerance: expected a positive number, got {}", options.tolerance));
  }
  Shifted shifted(sheaf, options);
  const bool small = sheaf.dimension() <= kDense || 2 * options.count + 20 >= sheaf.dimension();
  return small ? solve_densely(sheaf, shifted, options) : solve_iteratively(shifted, options);
}

}  // namespace dshn::sheaf
