#include "dshn/nn/dropout.hpp"

#include <torch/torch.h>

namespace dshn::nn {

MaskStream::MaskStream(std::uint64_t seed, const at::Device& device)
    : seed_(seed), step_key_(torch::zeros({1}, at::TensorOptions(device).dtype(at::kLong))) {}

void MaskStream::start(std::uint64_t step) {
  step_key_.fill_(ops::step_key(seed_, step));
  call_ = 0;
}

at::Tensor dropout(const at::Tensor& x, double p, MaskStream& masks) {
  if (p == 0) return x;
  const bool planar = x.dim() == 4;
  return ops::dropout(x, p, masks.next(), planar ? x.size(2) : 1, planar ? x.size(3) : 1);
}

}  // namespace dshn::nn
