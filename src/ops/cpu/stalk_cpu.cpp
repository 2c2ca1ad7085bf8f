#include <ATen/ATen.h>

#include <vector>

#include "ops/cpu/dense_kernels.hpp"
#include "ops/cpu/work_pieces.hpp"
#include "ops/kernels.hpp"

namespace dshn::ops::cpu {
namespace {

/// Rows that one piece of work takes: fixed, so that sums over pieces do not depend on the number of threads.
constexpr std::int64_t kStalkPiece = 64;

void over_pieces(std::int64_t rows,
                 const std::function<void(std::int64_t, std::int64_t, std::int64_t)>& body) {
  parallel_pieces((rows + kStalkPiece - 1) / kStalkPiece, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t piece = begin; piece < end; ++piece) {
      body(piece, piece * kStalkPiece, std::min((piece + 1) * kStalkPiece, rows));
    }
  });
}

template <typename T>
StalkArgs<T> stalk_args(const at::Tensor& x) {
  StalkArgs<T> args{};
  args.blocks = x.size(1);
  args.length = x.size(2);
  args.in = x.data_ptr<T>();
  return args;
}

template <typename T>
TensorPair stalk_product(const at::Tensor& x, const at::Tensor& weight, const OptionalTensor& added,
                         bool mean) {
  at::Tensor y = at::empty_like(x);
  StalkArgs<T> args = stalk_args<T>(x);
  args.weight = weight.data_ptr<T>();
  args.out = y.data_ptr<T>();
  const auto kernel = dense_kernels<T>().stalk;
  over_pieces(x.size(0),
              [&](std::int64_t, std::int64_t begin, std::int64_t end) { kernel(args, begin, end); });
  if (added.has_value()) y.add_(added->unsqueeze(1), 1.0 / static_cast<double>(x.size(1)));
  return {y, mean ? x.mean(1) : at::Tensor()};
}

template <typename T>
at::Tensor stalk_weight_gradient(const at::Tensor& gy, const at::Tensor& x) {
  const std::int64_t d = x.size(1);
  const std::int64_t pieces = (x.size(0) + kStalkPiece - 1) / kStalkPiece;
  std::vector<double> sums(static_cast<std::size_t>(pieces * d * d));
  at::Tensor gradient = at::empty({d, d}, x.options());
  StalkArgs<T> args = stalk_args<T>(x);
  args.g = gy.data_ptr<T>();
  const auto kernel = dense_kernels<T>().stalk_gradient;
  over_pieces(x.size(0), [&](std::int64_t piece, std::int64_t begin, std::int64_t end) {
    kernel(args, begin, end, sums.data() + piece * d * d);
  });
  for (std::int64_t k = 0; k < d * d; ++k) {
    double sum = 0;
    for (std::int64_t piece = 0; piece < pieces; ++piece) sum += sums[piece * d * d + k];
    gradient.data_ptr<T>()[k] = static_cast<T>(sum);
  }
  return gradient;
}

const AtLoad kStalkOnCpu([] {
  stalk_kernel.implement(at::kCPU, stalk_product<float>, stalk_product<double>);
  stalk_weight_gradient_kernel.implement(at::kCPU, stalk_weight_gradient<float>,
                                         stalk_weight_gradient<double>);
});

}  // namespace
}  // namespace dshn::ops::cpu
