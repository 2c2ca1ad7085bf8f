#pragma once

#include <ATen/core/Tensor.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <numbers>

namespace dshn::sheaf {

using Complex = std::complex<double>;

/// S of the paper on the tail set, exp(-2 pi i q); it is 1 on the head set.
inline Complex tail_phase(double charge) {
  return std::polar(1.0, -2 * std::numbers::pi * charge);
}

/// The entries of F_ue, whatever shape the maps are stored in: float64 [nnz, 1], [nnz, d] or [nnz, d, d].
class MapEntries {
 public:
  MapEntries(const at::Tensor& maps, std::int64_t stalk_dimension)
      : maps_(maps.data_ptr<double>()),
        columns_(maps.size(1)),
        general_(maps.dim() == 3),
        d_(stalk_dimension) {}

  bool general() const { return general_; }

  double entry(std::int64_t incidence, std::int64_t row, std::int64_t column) const {
    if (general_) return maps_[(incidence * d_ + row) * d_ + column];
    if (row != column) return 0;
    return maps_[incidence * columns_ + (columns_ == 1 ? 0 : row)];
  }

 private:
  const double* maps_;
  std::int64_t columns_;
  bool general_;
  std::int64_t d_;
};

}  // namespace dshn::sheaf
