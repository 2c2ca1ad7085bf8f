#pragma once

#include "dshn/ops/segment.hpp"

namespace dshn::ops {

inline Over opposite(Over over) {
  return over == Over::edges ? Over::nodes : Over::edges;
}
inline const View& view_over(const Incidence& incidence, Over over) {
  return over == Over::edges ? incidence.by_edge() : incidence.by_node();
}
inline std::int64_t rows_over(const Incidence& incidence, Over over) {
  return over == Over::edges ? incidence.edges() : incidence.nodes();
}

/// [rows, ...] of floating-point numbers on the device of the incidence.
void check_rows(const at::Tensor& rows, const char* argument, std::int64_t count, const Incidence& incidence);

/// [rows, ...] as contiguous [rows, columns].
at::Tensor flat(const at::Tensor& rows);
/// A flat result with the trailing dimensions of the argument it came from.
at::Tensor shaped_like(const at::Tensor& flat_rows, const at::Tensor& argument);

/// Rows divided by the size of their segments: the gradient of a mean as the gradient of a sum.
at::Tensor divided_by_size(const at::Tensor& rows, Over over, const Incidence& incidence);

}  // namespace dshn::ops
