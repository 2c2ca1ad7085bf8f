#pragma once

#include <ATen/core/Tensor.h>

/// Factors of dense matrices with the same bits for any number of threads: LAPACK runs on one thread in each piece
/// of the work, and the pieces depend on the sizes alone.
namespace dshn::sheaf {

struct QR {
  at::Tensor q;  // orthonormal columns
  at::Tensor r;
};

/// For matrices with many more rows than columns: pieces of the rows are factored, then their factors r. Columns
/// that depend on others are completed to orthonormal ones.
QR tall_qr(const at::Tensor& a);

struct Eigensystem {
  at::Tensor values;   // descending
  at::Tensor vectors;  // a column each
};

/// Of a Hermitian matrix, of which the upper triangle is read.
Eigensystem hermitian_eigen(const at::Tensor& a);

}  // namespace dshn::sheaf
