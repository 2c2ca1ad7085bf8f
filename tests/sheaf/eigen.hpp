#pragma once

#include <ATen/ATen.h>

#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <complex>

#include "dshn/sheaf/assemble.hpp"
#include "dshn/sheaf/directed_sheaf.hpp"

namespace dshn::test {

using Complex = std::complex<double>;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Complex (or real) [rows, columns] as an Eigen matrix.
inline MatrixXcd to_eigen(const at::Tensor& tensor) {
  const at::Tensor complex = tensor.to(at::kComplexDouble).contiguous();
  const auto* values = complex.data_ptr<c10::complex<double>>();
  MatrixXcd result(complex.size(0), complex.size(1));
  for (std::int64_t i = 0; i < result.rows(); ++i) {
    for (std::int64_t j = 0; j < result.cols(); ++j) {
      const c10::complex<double> value = values[i * result.cols() + j];
      result(i, j) = {value.real(), value.imag()};
    }
  }
  return result;
}

inline at::Tensor to_tensor(const MatrixXcd& matrix) {
  at::Tensor result = at::empty({matrix.rows(), matrix.cols()}, at::kComplexDouble);
  auto* values = result.data_ptr<c10::complex<double>>();
  for (std::int64_t i = 0; i < matrix.rows(); ++i) {
    for (std::int64_t j = 0; j < matrix.cols(); ++j) {
      values[i * matrix.cols() + j] = {matrix(i, j).real(), matrix(i, j).imag()};
    }
  }
  return result;
}

/// The matrix that the matrix-free operator is: its images of the unit vectors.
inline MatrixXcd images(const sheaf::DirectedSheaf& sheaf, sheaf::Form form) {
  const at::Tensor identity = at::eye(sheaf.dimension(), at::kDouble);
  return to_eigen(sheaf::to_complex(
      sheaf.apply(form, sheaf::to_planar(identity, sheaf.stalk_dimension(), sheaf.planes()))));
}

inline MatrixXcd to_eigen(const sheaf::CsrMatrix& matrix) {
  MatrixXcd result = MatrixXcd::Zero(matrix.dimension, matrix.dimension);
  for (std::int64_t r = 0; r < matrix.dimension; ++r)
    for (std::int64_t i = matrix.row_ptr[r]; i < matrix.row_ptr[r + 1]; ++i)
      result(r, matrix.col[i]) += matrix.values[i];
  return result;
}

inline VectorXd eigenvalues(const MatrixXcd& hermitian) {
  return Eigen::SelfAdjointEigenSolver<MatrixXcd>(hermitian, Eigen::EigenvaluesOnly).eigenvalues();
}

/// Largest absolute difference; infinite when shapes differ.
inline double distance(const MatrixXcd& a, const MatrixXcd& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return std::numeric_limits<double>::infinity();
  return a.size() == 0 ? 0.0 : (a - b).cwiseAbs().maxCoeff();
}

}  // namespace dshn::test
