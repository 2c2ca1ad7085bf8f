// Checks, dispatch and the derivative of the softmax within segments.
#include <ATen/ATen.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>

#include "ops/dispatch.hpp"
#include "ops/segment_arguments.hpp"

namespace dshn::ops {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Variable;
using torch::autograd::variable_list;

at::Tensor call_softmax(const at::Tensor& values, Over over, at::TensorList incidence) {
  using Signature = at::Tensor(const at::Tensor&, bool, at::TensorList);
  static const auto op = registered<Signature>("dshn::_segment_softmax");
  return op.call(values, over == Over::nodes, incidence);
}

class SoftmaxFunction : public torch::autograd::Function<SoftmaxFunction> {
 public:
  static Variable forward(AutogradContext* ctx, const Variable& values, Over over,
                          const variable_list& incidence) {
    at::AutoDispatchBelowADInplaceOrView guard;
    const at::Tensor y = call_softmax(values, over, incidence);
    variable_list saved{y};
    saved.insert(saved.end(), incidence.begin(), incidence.end());
    ctx->save_for_backward(saved);
    ctx->saved_data["over"] = static_cast<std::int64_t>(over);
    return y;
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
    refuse_double_backward("segment_softmax");
    const variable_list saved = ctx->get_saved_variables();
    const auto over = static_cast<Over>(ctx->saved_data["over"].toInt());
    using Signature = at::Tensor(const at::Tensor&, const at::Tensor&, bool, at::TensorList);
    static const auto op = registered<Signature>("dshn::_segment_softmax_backward");
    return {op.call(grads[0].contiguous(), saved[0], over == Over::nodes,
                    variable_list(saved.begin() + 1, saved.end())),
            Variable(), Variable()};
  }
};

Over checked(const at::Tensor& values, const std::string& over, at::TensorList tensors) {
  const Incidence incidence(tensors.vec());
  check_rows(values, "values", incidence.incidences(), incidence);
  return over_of(over);
}

at::Tensor autograd_softmax(const at::Tensor& values, std::string over, at::TensorList incidence) {
  const Over segments = checked(values, over, incidence);
  return shaped_like(SoftmaxFunction::apply(flat(values), segments, incidence.vec()), values);
}

at::Tensor plain_softmax(const at::Tensor& values, std::string over, at::TensorList incidence) {
  return shaped_like(call_softmax(flat(values), checked(values, over, incidence), incidence), values);
}

TORCH_LIBRARY_IMPL(dshn, Autograd, m) {
  m.impl("segment_softmax", autograd_softmax);
}
TORCH_LIBRARY_IMPL(dshn, CompositeExplicitAutograd, m) {
  m.impl("segment_softmax", plain_softmax);
}

}  // namespace

at::Tensor segment_softmax(const at::Tensor& values, Over over, const Incidence& incidence) {
  using Signature = at::Tensor(const at::Tensor&, std::string, at::TensorList);
  static const auto op = registered<Signature>("dshn::segment_softmax");
  return op.call(values, text_of(over), incidence.tensors());
}

}  // namespace dshn::ops
