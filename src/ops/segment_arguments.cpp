#include "ops/segment_arguments.hpp"

#include <ATen/ATen.h>

#include "ops/checks.hpp"

namespace dshn::ops {

void check_rows(const at::Tensor& rows, const char* argument, std::int64_t count,
                const Incidence& incidence) {
  check(rows.defined() && rows.dim() >= 1, argument, "at least one dimension", describe(rows));
  std::vector<std::int64_t> shape(rows.dim(), -1);
  shape[0] = count;
  check_tensor(rows, argument, shape, incidence);
}

at::Tensor flat(const at::Tensor& rows) {
  std::int64_t columns = 1;
  for (const std::int64_t size : rows.sizes().slice(1)) columns *= size;
  return rows.reshape({rows.size(0), columns}).contiguous();
}

at::Tensor shaped_like(const at::Tensor& flat_rows, const at::Tensor& argument) {
  std::vector<std::int64_t> shape = argument.sizes().vec();
  shape[0] = flat_rows.size(0);
  return flat_rows.view(shape);
}

at::Tensor divided_by_size(const at::Tensor& rows, Over over, const Incidence& incidence) {
  const at::Tensor counts = over == Over::edges ? incidence.edge_sizes() : incidence.by_node().row_sizes();
  return rows / counts.clamp_min(1).to(rows.scalar_type()).unsqueeze(1);
}

}  // namespace dshn::ops
