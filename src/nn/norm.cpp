#include "dshn/nn/norm.hpp"

#include <torch/torch.h>

namespace dshn::nn {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Variable;
using torch::autograd::variable_list;

/// libtorch's kernels, but for the parameters' gradients: it sums those in an order that depends on the
/// number of threads.
class LayerNormFunction : public torch::autograd::Function<LayerNormFunction> {
 public:
  static Variable forward(AutogradContext* ctx, const Variable& x, const Variable& weight,
                          const Variable& bias, double eps) {
    auto [y, mean, rstd] = at::native_layer_norm(x, {x.size(1)}, weight, bias, eps);
    ctx->save_for_backward({x, weight, bias, mean, rstd});
    return y;
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
    const variable_list saved = ctx->get_saved_variables();
    const at::Tensor g = grads[0].contiguous();
    const at::Tensor& x = saved[0];
    const at::Tensor& mean = saved[3];
    const at::Tensor& rstd = saved[4];
    at::Tensor gx;
    if (ctx->needs_input_grad(0)) {
      gx = std::get<0>(at::native_layer_norm_backward(g, x, {x.size(1)}, mean, rstd, saved[1], saved[2],
                                                      {true, false, false}));
    }
    return {gx, (g * ((x - mean) * rstd)).sum(0), g.sum(0), Variable()};
  }
};

}  // namespace

at::Tensor layer_norm(const at::Tensor& x, const torch::nn::LayerNormImpl& norm) {
  // On a GPU no threads of ours share the sums.
  if (x.is_cuda()) return at::layer_norm(x, {x.size(1)}, norm.weight, norm.bias, norm.options.eps());
  return LayerNormFunction::apply(x.contiguous(), norm.weight, norm.bias, norm.options.eps());
}

}  // namespace dshn::nn
