#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <vector>

/// Work that keeps nothing of what it makes on the way: backward does it once more. It has to give the same then, so
/// masks are drawn by keys that the work holds. Differentiable once in what it is given and in `parameters`: the leaves
/// that it uses by itself.
namespace dshn::nn {

using Work = std::function<std::vector<at::Tensor>(const std::vector<at::Tensor>& given)>;

/// What `work` makes of `given`.
std::vector<at::Tensor> recomputed(const Work& work, const std::vector<at::Tensor>& given,
                                   const std::vector<at::Tensor>& parameters);

/// Makes one or several tensors with a row for each row, whose numbers in all of x it is told (Long).
using RowWork = std::function<std::vector<at::Tensor>(const at::Tensor& rows, const at::Tensor& numbers)>;

/// While one lives, blocks on this thread have so many rows: a small input is then worked on as a large one is.
class RowBlockSize {
 public:
  static std::int64_t now();
  explicit RowBlockSize(std::int64_t rows);
  ~RowBlockSize();
  RowBlockSize(const RowBlockSize&) = delete;
  RowBlockSize& operator=(const RowBlockSize&) = delete;

 private:
  std::int64_t before_;
};

/// What `work` makes of the rows `numbers` of x, each at most once; undefined: of all of them. Where there are many it
/// does some at a time, so that what it makes on the way stays in the cache, and keeps nothing.
std::vector<at::Tensor> in_row_blocks(const RowWork& work, const at::Tensor& x, const at::Tensor& numbers,
                                      const std::vector<at::Tensor>& parameters);

}  // namespace dshn::nn
