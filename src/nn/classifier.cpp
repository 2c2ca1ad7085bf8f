#include "dshn/nn/classifier.hpp"

#include <torch/torch.h>

#include "dshn/nn/complex.hpp"
#include "dshn/nn/linear.hpp"
#include "dshn/nn/norm.hpp"
#include "dshn/nn/recompute.hpp"

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

at::Tensor Classifier::scores_of(const at::Tensor& x, Rows of, const Step& step, const at::Tensor& items) {
  // Masks by the numbers of rows are for CPUs alone.
  if (!x.is_cpu()) {
    const at::Tensor all = scores(hidden_planar(x, of, step));
    return items.defined() ? all.index_select(0, items) : all;
  }
  const double p = step.training ? dropout_ : 0;
  const ops::MaskKey key = p > 0 ? step.masks->next(of) : ops::MaskKey{};
  const RowWork work = [this, p, key](const at::Tensor& rows, const at::Tensor& numbers) {
    at::Tensor row = normed(unwound_linear(rows, first_->weight) + first_->bias);
    if (p > 0) row = ops::dropout(row, p, key.of_rows(numbers), 1, 1);
    return std::vector{scores(row)};
  };
  return in_row_blocks(work, x, items, parameters())[0];
}

at::Tensor Classifier::normed(const at::Tensor& first) const {
  return layer_norm(at::relu(first), *norm_);
}

at::Tensor Classifier::activated(const at::Tensor& first, Rows of, const Step& step) {
  return step.drop(normed(first), dropout_, of);
}

}  // namespace dshn::nn
