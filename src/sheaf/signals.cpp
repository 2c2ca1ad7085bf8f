#include "dshn/sheaf/signals.hpp"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <vector>

#include "dshn/base/error.hpp"
#include "dshn/base/random.hpp"
#include "sheaf/blocks.hpp"

namespace dshn::sheaf {

at::Tensor signal_of(const DirectedSheaf& sheaf, std::span<const std::complex<double>> values,
                     std::int64_t channels) {
  const std::int64_t rows = sheaf.dimension();
  if (static_cast<std::int64_t>(values.size()) != rows * channels) {
    throw UsageError(fmt::format("values: expected {} x {} numbers, got {}", rows, channels, values.size()));
  }
  at::Tensor complex = at::empty({rows, channels}, at::kComplexDouble);
  auto* out = complex.data_ptr<c10::complex<double>>();
  for (std::size_t i = 0; i < values.size(); ++i) out[i] = {values[i].real(), values[i].imag()};
  return to_planar(complex, sheaf.stalk_dimension());
}

at::Tensor constant_signal(const DirectedSheaf& sheaf) {
  return signal_of(sheaf, std::vector<std::complex<double>>(sheaf.dimension(), 1.0), 1);
}

at::Tensor random_signal(const DirectedSheaf& sheaf, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::complex<double>> values(sheaf.dimension());
  for (auto& value : values) {
    const double re = random.normal();
    value = {re, random.normal()};
  }
  return signal_of(sheaf, values, 1);
}

at::Tensor squared_norms(const at::Tensor& x) {
  return blocks::column_products(x, x);
}

}  // namespace dshn::sheaf
