// Checks, dispatch and derivatives of the node degree blocks, their inverse roots and the maps they
// normalise.
#include <ATen/ATen.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>

#include "dshn/ops/sheaf.hpp"
#include "ops/checks.hpp"
#include "ops/dispatch.hpp"

namespace dshn::ops {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Variable;
using torch::autograd::variable_list;
using TensorPair = std::tuple<at::Tensor, at::Tensor>;
using TensorTriple = std::tuple<at::Tensor, at::Tensor, at::Tensor>;

void check_degree_arguments(const at::Tensor& maps, const OptionalTensor& weight,
                            const Incidence& incidence) {
  check_incidence(incidence);
  check_maps(maps, incidence);
  check_weight(weight, maps, incidence);
}

void check_blocks(const at::Tensor& blocks) {
  check(blocks.scalar_type() == at::kDouble &&
            (blocks.dim() == 2 || (blocks.dim() == 3 && blocks.size(1) == blocks.size(2))),
        "blocks", "Double [n, k] or [n, d, d]", describe(blocks));
}

void check_scale_arguments(const at::Tensor& maps, const at::Tensor& blocks, const Incidence& incidence) {
  check_incidence(incidence);
  check_maps(maps, incidence);
  std::vector<std::int64_t> shape = maps.sizes().vec();
  shape[0] = incidence.nodes();
  check_tensor(blocks, "blocks", shape, incidence);
  check_blocks(blocks);
}

using DegreeSignature = at::Tensor(const at::Tensor&, const OptionalTensor&, at::TensorList);
using ScaleSignature = at::Tensor(const at::Tensor&, const at::Tensor&, at::TensorList);

at::Tensor call_degree_blocks(const at::Tensor& maps, const OptionalTensor& weight,
                              at::TensorList incidence) {
  static const auto op = registered<DegreeSignature>("dshn::_degree_blocks");
  return op.call(maps, weight, incidence);
}

TensorTriple call_inverse_sqrt(const at::Tensor& blocks) {
  static const auto op = registered<TensorTriple(const at::Tensor&)>("dshn::_inverse_sqrt");
  return op.call(blocks);
}

at::Tensor call_scale_maps(const at::Tensor& maps, const at::Tensor& blocks, at::TensorList incidence) {
  static const auto op = registered<ScaleSignature>("dshn::_scale_maps");
  return op.call(maps, blocks, incidence);
}

class DegreeFunction : public torch::autograd::Function<DegreeFunction> {
 public:
  static Variable forward(AutogradContext* ctx, const Variable& maps, const OptionalTensor& weight,
                          const variable_list& incidence) {
    at::AutoDispatchBelowADInplaceOrView guard;
    variable_list saved{maps, value_or_undefined(weight)};
    saved.insert(saved.end(), incidence.begin(), incidence.end());
    ctx->save_for_backward(saved);
    return call_degree_blocks(maps, weight, incidence);
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
    refuse_double_backward("degree_blocks");
    const variable_list saved = ctx->get_saved_variables();
    using Signature = TensorPair(const at::Tensor&, const at::Tensor&, const OptionalTensor&, at::TensorList);
    static const auto op = registered<Signature>("dshn::_degree_blocks_backward");
    const auto [gmaps, gweight] = op.call(grads[0].contiguous(), saved[0], optional_of(saved[1]),
                                          variable_list(saved.begin() + 2, saved.end()));
    return {gmaps, gweight, Variable()};
  }
};

class InverseSqrtFunction : public torch::autograd::Function<InverseSqrtFunction> {
 public:
  static Variable forward(AutogradContext* ctx, const Variable& blocks) {
    at::AutoDispatchBelowADInplaceOrView guard;
    const auto [result, vectors, values] = call_inverse_sqrt(blocks);
    ctx->save_for_backward({vectors, values});
    return result;
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
    refuse_double_backward("inverse_sqrt");
    const variable_list saved = ctx->get_saved_variables();
    using Signature = at::Tensor(const at::Tensor&, const at::Tensor&, const at::Tensor&);
    static const auto op = registered<Signature>("dshn::_inverse_sqrt_backward");
    return {op.call(grads[0].contiguous(), saved[0], saved[1])};
  }
};

class ScaleMapsFunction : public torch::autograd::Function<ScaleMapsFunction> {
 public:
  static Variable forward(AutogradContext* ctx, const Variable& maps, const Variable& blocks,
                          const variable_list& incidence) {
    at::AutoDispatchBelowADInplaceOrView guard;
    variable_list saved{maps, blocks};
    saved.insert(saved.end(), incidence.begin(), incidence.end());
    ctx->save_for_backward(saved);
    return call_scale_maps(maps, blocks, incidence);
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
    refuse_double_backward("scale_maps");
    const variable_list saved = ctx->get_saved_variables();
    using Signature = TensorPair(const at::Tensor&, const at::Tensor&, const at::Tensor&, at::TensorList);
    static const auto op = registered<Signature>("dshn::_scale_maps_backward");
    const auto [gmaps, gblocks] =
        op.call(grads[0].contiguous(), saved[0], saved[1], variable_list(saved.begin() + 2, saved.end()));
    return {gmaps, gblocks, Variable()};
  }
};

at::Tensor autograd_degree_blocks(const at::Tensor& maps, const OptionalTensor& weight,
                                  at::TensorList incidence) {
  check_degree_arguments(maps, weight, Incidence(incidence.vec()));
  return DegreeFunction::apply(maps.contiguous(), contiguous(weight), incidence.vec());
}

at::Tensor plain_degree_blocks(const at::Tensor& maps, const OptionalTensor& weight,
                               at::TensorList incidence) {
  check_degree_arguments(maps, weight, Incidence(incidence.vec()));
  return call_degree_blocks(maps.contiguous(), contiguous(weight), incidence);
}

at::Tensor autograd_inverse_sqrt(const at::Tensor& blocks) {
  check_blocks(blocks);
  return InverseSqrtFunction::apply(blocks.contiguous());
}

at::Tensor plain_inverse_sqrt(const at::Tensor& blocks) {
  check_blocks(blocks);
  return std::get<0>(call_inverse_sqrt(blocks.contiguous()));
}

at::Tensor autograd_scale_maps(const at::Tensor& maps, const at::Tensor& blocks, at::TensorList incidence) {
  check_scale_arguments(maps, blocks, Incidence(incidence.vec()));
  return ScaleMapsFunction::apply(maps.contiguous(), blocks.contiguous(), incidence.vec());
}

at::Tensor plain_scale_maps(const at::Tensor& maps, const at::Tensor& blocks, at::TensorList incidence) {
  check_scale_arguments(maps, blocks, Incidence(incidence.vec()));
  return call_scale_maps(maps.contiguous(), blocks.contiguous(), incidence);
}

/// Composed of the differentiable operators above, on any device.
at::Tensor composite_diffuse(const at::Tensor& x, const at::Tensor& maps, const OptionalTensor& q,
                             const OptionalTensor& weight, at::TensorList tensors) {
  const Incidence incidence(tensors.vec());
  return sheaf_signless(x, normalize_maps(maps, weight, incidence), q, weight, incidence);
}

TORCH_LIBRARY_IMPL(dshn, Autograd, m) {
  m.impl("degree_blocks", autograd_degree_blocks);
  m.impl("inverse_sqrt", autograd_inverse_sqrt);
  m.impl("scale_maps", autograd_scale_maps);
}
// Where autograd is off (inference mode), on any device.
TORCH_LIBRARY_IMPL(dshn, CompositeExplicitAutograd, m) {
  m.impl("degree_blocks", plain_degree_blocks);
  m.impl("inverse_sqrt", plain_inverse_sqrt);
  m.impl("scale_maps", plain_scale_maps);
}
TORCH_LIBRARY_IMPL(dshn, CompositeImplicitAutograd, m) {
  m.impl("sheaf_diffuse", composite_diffuse);
}

}  // namespace

at::Tensor degree_blocks(const at::Tensor& maps, const OptionalTensor& weight, const Incidence& incidence) {
  static const auto op = registered<DegreeSignature>("dshn::degree_blocks");
  return op.call(maps, weight, incidence.tensors());
}

at::Tensor inverse_sqrt(const at::Tensor& blocks) {
  static const auto op = registered<at::Tensor(const at::Tensor&)>("dshn::inverse_sqrt");
  return op.call(blocks);
}

at::Tensor scale_maps(const at::Tensor& maps, const at::Tensor& blocks, const Incidence& incidence) {
  static const auto op = registered<ScaleSignature>("dshn::scale_maps");
  return op.call(maps, blocks, incidence.tensors());
}

at::Tensor normalize_maps(const at::Tensor& maps, const OptionalTensor& weight, const Incidence& incidence) {
  return scale_maps(maps, inverse_sqrt(degree_blocks(maps, weight, incidence)), incidence);
}

at::Tensor sheaf_diffuse(const at::Tensor& x, const at::Tensor& maps, const OptionalTensor& q,
                         const OptionalTensor& weight, const Incidence& incidence) {
  using Signature = at::Tensor(const at::Tensor&, const at::Tensor&, const OptionalTensor&,
                               const OptionalTensor&, at::TensorList);
  static const auto op = registered<Signature>("dshn::sheaf_diffuse");
  return op.call(x, maps, q, weight, incidence.tensors());
}

}  // namespace dshn::ops
