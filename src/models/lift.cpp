#include "models/lift.hpp"

#include <torch/torch.h>

#include "dshn/nn/linear.hpp"

namespace dshn::models {

at::Tensor lift(const Input& input, const at::Tensor& weight, const at::Tensor& bias, const nn::Step& step,
                double dropout) {
  if (input.sparse_x && input.sparse_x->stands_for(input.x))
    return input.sparse_x->linear(weight, bias, step, dropout);
  return nn::linear_rows(step.drop(input.x, dropout), weight, bias);
}

}  // namespace dshn::models
