#include "dshn/sheaf/leading_eigenvectors.hpp"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>

#include "dshn/base/error.hpp"
#include "dshn/base/random.hpp"
#include "dshn/ops/products.hpp"
#include "sheaf/factors.hpp"

namespace dshn::sheaf {
namespace {

using ops::cpu::adjoint_product;
using ops::cpu::product;

/// Up to this dimension all eigenvectors of the matrix are found at once.
constexpr std::int64_t kSmall = 600;
/// The basis has room for so many blocks; after a restart the best vectors fill the first ones.
constexpr std::int64_t kBlocks = 6;
constexpr std::int64_t kBlocksKept = 2;
constexpr std::int64_t kNarrowestBlock = 8;
constexpr std::uint64_t kSeed = 20;

/// Q_N on the columns of a matrix [nd, f], which is real or complex as the operator is.
class ColumnOperator {
 public:
  explicit ColumnOperator(const DirectedSheaf& sheaf) : sheaf_(sheaf) {}

  std::int64_t rows() const { return sheaf_.dimension(); }
  at::TensorOptions options() const { return sheaf_.is_real() ? at::kDouble : at::kComplexDouble; }
  std::int64_t products() const { return products_; }

  at::Tensor apply(const at::Tensor& x) {
    products_ += x.size(1);
    return from_signal(sheaf_.apply(Form::Q_N, to_signal(x)));
  }

  at::Tensor to_signal(const at::Tensor& x) const {
    if (!sheaf_.is_real()) return to_planar(x, sheaf_.stalk_dimension(), 2);
    return x.contiguous().view({-1, sheaf_.stalk_dimension(), 1, x.size(1)});
  }

 private:
  at::Tensor from_signal(const at::Tensor& x) const {
    return sheaf_.is_real() ? x.reshape({rows(), x.size(3)}) : to_complex(x);
  }

  const DirectedSheaf& sheaf_;
  std::int64_t products_ = 0;
};

/// The numbers of a matrix by rows, real parts and imaginary parts in turn where it is complex.
struct Numbers {
  double* values;
  std::int64_t rows, columns, planes;

  explicit Numbers(const at::Tensor& matrix)
      : values(static_cast<double*>(matrix.data_ptr())),
        rows(matrix.size(0)),
        columns(matrix.size(1)),
        planes(matrix.is_complex() ? 2 : 1) {}

  std::complex<double> get(std::int64_t row, std::int64_t column) const {
    const double* value = values + (row * columns + column) * planes;
    return {value[0], planes == 2 ? value[1] : 0.0};
  }
  void set(std::int64_t row, std::int64_t column, std::complex<double> number) const {
    double* value = values + (row * columns + column) * planes;
    value[0] = number.real();
    if (planes == 2) value[1] = number.imag();
  }
};

at::Tensor random_block(const ColumnOperator& op, std::int64_t columns) {
  at::Tensor block = at::empty({op.rows(), columns}, op.options());
  const Numbers numbers(block);
  Random random(kSeed);
  for (std::int64_t i = 0; i < numbers.rows * columns * numbers.planes; ++i)
    numbers.values[i] = random.normal();
  return block;
}

double largest_column_norm(const at::Tensor& matrix) {
  const at::Tensor kept = matrix.contiguous();
  const Numbers numbers(kept);
  double largest = 0;
  for (std::int64_t c = 0; c < numbers.columns; ++c) {
    double squares = 0;
    for (std::int64_t r = 0; r < numbers.rows; ++r) squares += std::norm(numbers.get(r, c));
    largest = std::max(largest, squares);
  }
  return std::sqrt(largest);
}

/// The phase rule of the header, for one column.
void turn(const Numbers& vectors, std::int64_t column) {
  double largest = 0;
  for (std::int64_t r = 0; r < vectors.rows; ++r)
    largest = std::max(largest, std::abs(vectors.get(r, column)));
  std::int64_t chosen = 0;
  while (std::abs(vectors.get(chosen, column)) < (1 - 1e-6) * largest) ++chosen;
  const double size = std::abs(vectors.get(chosen, column));
  const std::complex<double> phase = std::conj(vectors.get(chosen, column)) / size;
  for (std::int64_t r = 0; r < vectors.rows; ++r) vectors.set(r, column, vectors.get(r, column) * phase);
  vectors.set(chosen, column, size);
}

/// w = v within + q beyond, where v and q have orthonormal columns and q is orthogonal to v.
struct Expanded {
  at::Tensor q, within, beyond;
};

/// What is left of w may be rounding alone, of any direction: it is projected again until nothing of v remains.
Expanded expand(const at::Tensor& v, const at::Tensor& w) {
  constexpr int kMostPasses = 6;
  constexpr double kClean = 1e-12;
  Expanded result{w, at::zeros({v.size(1), w.size(1)}, w.options()), at::eye(w.size(1), w.options())};
  for (int pass = 0; pass < kMostPasses; ++pass) {
    const at::Tensor inside = adjoint_product(v, result.q);
    result.within.add_(product(inside, result.beyond));
    const QR rest = tall_qr(result.q - product(v, inside));
    result.q = rest.q;
    result.beyond = product(rest.r, result.beyond);
    if (pass > 0 && largest_column_norm(inside) <= kClean) break;
  }
  return result;
}

/// An orthonormal basis V with A V = V T + R E^H, where E picks the last block: the state between two products.
class KrylovBasis {
 public:
  KrylovBasis(ColumnOperator& op, std::int64_t block)
      : op_(op),
        block_(block),
        vectors_(at::empty({op.rows(), kBlocks * block}, op.options())),
        projected_(at::zeros({kBlocks * block, kBlocks * block}, op.options())),
        next_(tall_qr(random_block(op, block)).q) {}

  void fill() {
    while (filled_ + block_ <= vectors_.size(1)) grow();
    ritz_ = hermitian_eigen(projected_.narrow(0, 0, filled_).narrow(1, 0, filled_));
  }

  /// Of the `count` leading Ritz pairs after fill().
  double worst_residual(std::int64_t count) const {
    const at::Tensor last = ritz_.vectors.narrow(0, filled_ - block_, block_).narrow(1, 0, count);
    return largest_column_norm(product(beyond_, last));
  }
  at::Tensor values(std::int64_t count) const { return ritz_.values.narrow(0, 0, count); }
  at::Tensor vectors(std::int64_t count) const {
    return product(vectors_.narrow(1, 0, filled_), ritz_.vectors.narrow(1, 0, count));
  }

  /// Keeps the leading Ritz vectors. Products with the next block bring their coupling to it back.
  void restart() {
    const std::int64_t kept = kBlocksKept * block_;
    vectors_.narrow(1, 0, kept).copy_(vectors(kept));
    projected_.zero_();
    projected_.diagonal().narrow(0, 0, kept).copy_(values(kept));
    filled_ = kept;
  }

 private:
  void grow() {
    vectors_.narrow(1, filled_, block_).copy_(next_);
    const std::int64_t after = filled_ + block_;
    Expanded image = expand(vectors_.narrow(1, 0, after), op_.apply(next_));
    projected_.narrow(0, 0, after).narrow(1, filled_, block_).copy_(image.within);
    next_ = image.q;
    beyond_ = image.beyond;
    filled_ = after;
  }

  ColumnOperator& op_;
  std::int64_t block_;
  std::int64_t filled_ = 0;  // columns of vectors_ whose images are in projected_
  at::Tensor vectors_;
  at::Tensor projected_;  // T, its upper triangle
  at::Tensor next_, beyond_;
  Eigensystem ritz_;
};

Eigensystem solve_densely(ColumnOperator& op, std::int64_t count) {
  const Eigensystem all = hermitian_eigen(op.apply(at::eye(op.rows(), op.options())));
  return {all.values.narrow(0, 0, count), all.vectors.narrow(1, 0, count)};
}

Eigensystem iterate(ColumnOperator& op, std::int64_t block, const LeadingOptions& options) {
  KrylovBasis basis(op, block);
  double residual = 0;
  for (std::int64_t restarts = 0; restarts <= options.max_restarts; ++restarts) {
    if (restarts > 0) basis.restart();
    basis.fill();
    residual = basis.worst_residual(options.count);
    if (residual <= options.tolerance) return {basis.values(options.count), basis.vectors(options.count)};
  }
  throw Failure(fmt::format(
      "eigenvectors: after {} restarts the worst of {} has residual {:.1e}, expected {:.1e} at most; "
      "their eigenvalues lie close together: ask for fewer or more of them",
      options.max_restarts, options.count, residual, options.tolerance));
}

void check(const DirectedSheaf& sheaf, const LeadingOptions& options) {
  if (options.count < 1 || options.count > sheaf.dimension()) {
    throw UsageError(fmt::format("count: expected 1 to {} (nodes times stalk dimension) eigenvectors, got {}",
                                 sheaf.dimension(), options.count));
  }
  if (!(options.tolerance > 0))
    throw UsageError(fmt::format("tolerance: expected a positive number, got {}", options.tolerance));
}

}  // namespace

LeadingEigenvectors leading_eigenvectors(const DirectedSheaf& sheaf, const LeadingOptions& options) {
  check(sheaf, options);
  const at::NoGradGuard no_grad;
  ColumnOperator op(sheaf);
  const std::int64_t block = std::max(options.count, kNarrowestBlock);
  // The block after a full basis needs room too.
  const bool small = op.rows() <= kSmall || (kBlocks + 1) * block > op.rows();
  const Eigensystem found = small ? solve_densely(op, options.count) : iterate(op, block, options);
  const at::Tensor vectors = found.vectors.contiguous();
  for (std::int64_t column = 0; column < options.count; ++column) turn(Numbers(vectors), column);
  const at::Tensor values = found.values.contiguous();
  const auto* first = values.data_ptr<double>();
  return {{first, first + options.count}, op.to_signal(vectors), op.products()};
}

}  // namespace dshn::sheaf
