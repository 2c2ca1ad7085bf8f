#include "dshn/nn/dropout.hpp"

#include <torch/torch.h>

namespace dshn::nn {

MaskStream::MaskStream(std::uint64_t seed, const at::Device& device)
    : seed_(seed), step_key_(torch::zeros({1}, at::TensorOptions(device).dtype(at::kLong))) {}

void MaskStream::start(std::uint64_t step) {
  step_key_.fill_(ops::step_key(seed_, step));
  call_ = 0;
}

void MaskStream::number_rows(const ops::Incidence& incidence) {
  incidence_ = incidence;
}

ops::MaskKey MaskStream::next(Rows rows) {
  ops::MaskKey key{step_key_, ++call_};
  if (!incidence_.defined() || incidence_.exchange() == nullptr) return key;
  const ops::Whole& whole = incidence_.exchange()->whole();
  key.rows = rows == Rows::nodes   ? whole.node_numbers
             : rows == Rows::edges ? whole.edge_numbers
                                   : whole.incidence_numbers;
  return key;
}

MaskStream MaskStream::fork() const {
  MaskStream other = *this;
  other.step_key_ = step_key_.clone();
  return other;
}

at::Tensor dropout(const at::Tensor& x, double p, Rows rows, MaskStream& masks) {
  if (p == 0) return x;
  const bool planar = x.dim() == 4;
  ops::MaskKey key = masks.next(rows);
  if (key.rows.defined())
    key.rows = key.rows.narrow(0, 0, x.size(0));  // self-loops are behind the hyperedges
  return ops::dropout(x, p, key, planar ? x.size(2) : 1, planar ? x.size(3) : 1);
}

}  // namespace dshn::nn
