#include "dshn/nn/classifier.hpp"

#include <torch/torch.h>

#include "dshn/nn/complex.hpp"
#include "dshn/nn/linear.hpp"
#include "dshn/nn/norm.hpp"

namespace dshn::nn {

Classifier::Classifier(std::int64_t inputs, std::int64_t hidden, std::int64_t classes, double dropout)
    : first_(register_module("first", torch::nn::Linear(inputs, hidden))),
      norm_(register_module("norm", torch::nn::LayerNorm(torch::nn::LayerNormOptions({hidden})))),
      second_(register_module("second", torch::nn::Linear(hidden, classes))),
      dropout_(dropout) {}

at::Tensor Classifier::hidden(const at::Tensor& rows, Rows of, const Step& step) {
  return activated(linear_rows(rows, first_->weight, first_->bias), of, step);
}

at::Tensor Classifier::hidden_planar(const at::Tensor& x, Rows of, const Step& step) {
  return activated(unwound_linear(x, first_->weight) + first_->bias, of, step);
}

at::Tensor Classifier::scores(const at::Tensor& hidden_rows) const {
  return linear_rows(hidden_rows, second_->weight, second_->bias);
}

at::Tensor Classifier::activated(const at::Tensor& first, Rows of, const Step& step) {
  return step.drop(layer_norm(at::relu(first), *norm_), dropout_, of);
}

}  // namespace dshn::nn
