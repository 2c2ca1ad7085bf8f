#include "dshn/sheaf/directed_sheaf.hpp"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <cmath>

#include "dshn/base/error.hpp"
#include "dshn/ops/multiplicity.hpp"
#include "dshn/ops/sheaf.hpp"
#include "sheaf/blocks.hpp"

namespace dshn::sheaf {
namespace {

/// Absent where there are none.
ops::OptionalTensor tensor_of(std::span<const double> weights) {
  if (weights.empty()) return {};
  at::Tensor tensor = at::empty({static_cast<std::int64_t>(weights.size())}, at::kDouble);
  std::copy(weights.begin(), weights.end(), tensor.data_ptr<double>());
  return tensor;
}

}  // namespace

const char* form_name(Form form) {
  switch (form) {
    case Form::L:
      return "L";
    case Form::Q:
      return "Q";
    case Form::L_N:
      return "L_N";
    case Form::Q_N:
      return "Q_N";
    case Form::I_minus_Q_N:
      return "I - Q_N";
  }
  throw UsageError("form: not one of L, Q, L_N, Q_N, I_minus_Q_N");
}

DirectedSheaf::DirectedSheaf(const Hypergraph& hypergraph, double charge, const at::Tensor& maps,
                             std::int64_t stalk_dimension, Degree degree)
    : hypergraph_(hypergraph),
      charge_(charge),
      stalk_(stalk_dimension),
      kind_(degree),
      real_(charge == 0 || !hypergraph_.has_directed_edges()),
      incidence_(hypergraph_),
      weight_(tensor_of(hypergraph_.edge_weights())),
      multiplicity_(tensor_of(hypergraph_.incidence_weights())),
      repeated_weight_(ops::repeated_weight(weight_, multiplicity_, incidence_)) {
  if (!std::isfinite(charge))
    throw UsageError(fmt::format("charge: expected a finite number, got {}", charge));
  check_maps(maps);
  const at::NoGradGuard no_grad;
  maps_ = maps.detach().to(at::kCPU, at::kDouble).contiguous();
  if (!at::isfinite(maps_).all().item<bool>()) {
    throw UsageError("maps: expected finite numbers, got one that is infinite or not a number");
  }
  degree_ = ops::repeated_degree(maps_, weight_, multiplicity_, incidence_);
  if (kind_ == Degree::plus_identity)
    degree_ = degree_.dim() == 3 ? degree_ + at::eye(stalk_, at::kDouble) : degree_ + 1;
  inverse_sqrt_ = ops::inverse_sqrt(degree_);
  projection_ = blocks::range_projection(inverse_sqrt_);
  regular_ = blocks::is_identity(projection_);
  normalized_maps_ = ops::scale_maps(maps_, inverse_sqrt_, incidence_);
}

void DirectedSheaf::check_maps(const at::Tensor& maps) const {
  if (stalk_ < 1) throw UsageError(fmt::format("stalk_dimension: expected at least 1, got {}", stalk_));
  const std::int64_t nnz = hypergraph_.incidence_count();
  const bool fits =
      maps.defined() && maps.is_floating_point() &&
      (maps.sizes() == at::IntArrayRef{nnz, 1} || maps.sizes() == at::IntArrayRef{nnz, stalk_} ||
       maps.sizes() == at::IntArrayRef{nnz, stalk_, stalk_});
  if (fits) return;
  throw UsageError(
      fmt::format("maps: expected real [{0}, 1], [{0}, {1}] or [{0}, {1}, {1}], one per incidence, got {2}",
                  nnz, stalk_, blocks::describe(maps)));
}

void DirectedSheaf::check_signal(const at::Tensor& x) const {
  const std::int64_t n = hypergraph_.node_count();
  const bool fits = x.defined() && x.scalar_type() == at::kDouble && x.device().is_cpu() && x.dim() == 4 &&
                    x.size(0) == n && x.size(1) == stalk_ && x.size(2) <= 2 && x.size(2) >= planes();
  if (fits) return;
  throw UsageError(fmt::format("x: expected Double [{}, {}, {}, f] on cpu, got {}", n, stalk_,
                               real_ ? "1 or 2" : "2", blocks::describe(x)));
}

at::Tensor DirectedSheaf::signless(const at::Tensor& x, const at::Tensor& maps) const {
  ops::OptionalTensor charge;
  if (!real_) charge = at::scalar_tensor(charge_, at::kDouble);
  return ops::sheaf_signless(x, ops::repeated_maps(maps, multiplicity_), charge, repeated_weight_,
                             incidence_);
}

at::Tensor DirectedSheaf::apply(Form form, const at::Tensor& x) const {
  check_signal(x);
  const at::NoGradGuard no_grad;
  switch (form) {
    case Form::L:
      return blocks::multiply(degree_, x) - signless(x, maps_);
    case Form::Q:
      return signless(x, maps_);
    case Form::L_N:
      return (regular_ ? x : blocks::multiply(projection_, x)) - signless(x, normalized_maps_);
    case Form::Q_N:
      return signless(x, normalized_maps_);
    case Form::I_minus_Q_N:
      return x - signless(x, normalized_maps_);
  }
  throw UsageError("form: not one of L, Q, L_N, Q_N, I_minus_Q_N");
}

double DirectedSheaf::spectral_bound(Form form) const {
  // 0 <= Q <= D_V: a hyperedge's mean is never longer than its members together (Theorem 'bounded-spectrum').
  return form == Form::L || form == Form::Q ? blocks::largest_eigenvalue(degree_) : 1.0;
}

at::Tensor DirectedSheaf::energy(const at::Tensor& x, bool normalized) const {
  const at::Tensor y = apply(normalized ? Form::L_N : Form::L, x);
  const at::NoGradGuard no_grad;
  return blocks::column_products(x, y);
}

at::Tensor to_planar(const at::Tensor& x, std::int64_t stalk_dimension, std::int64_t planes) {
  if (!x.defined() || x.dim() != 2 || stalk_dimension < 1 || x.size(0) % stalk_dimension != 0) {
    throw UsageError(
        fmt::format("x: expected [n*d, f] with d = {}, got {}", stalk_dimension, blocks::describe(x)));
  }
  if (planes != 1 && planes != 2) throw UsageError(fmt::format("planes: expected 1 or 2, got {}", planes));
  const at::Tensor complex = x.to(at::kComplexDouble);
  const at::Tensor re = at::real(complex);
  const at::Tensor im = at::imag(complex);
  if (planes == 1 && im.ne(0).any().item<bool>()) {
    throw UsageError("x: expected a real signal (planes = 1), got imaginary parts that are not zero");
  }
  const at::Tensor stacked = planes == 1 ? re.unsqueeze(1) : at::stack({re, im}, 1);
  return stacked.reshape({x.size(0) / stalk_dimension, stalk_dimension, planes, x.size(1)}).contiguous();
}

at::Tensor to_complex(const at::Tensor& x) {
  if (!x.defined() || x.dim() != 4 || x.size(2) < 1 || x.size(2) > 2) {
    throw UsageError(fmt::format("x: expected [n, d, 1 or 2, f], got {}", blocks::describe(x)));
  }
  const at::Tensor re = x.select(2, 0);
  const at::Tensor im = x.size(2) == 2 ? x.select(2, 1) : at::zeros_like(re);
  return at::complex(re.contiguous(), im.contiguous()).reshape({x.size(0) * x.size(1), x.size(3)});
}

}  // namespace dshn::sheaf
