#include "assembled_path.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace dshn::bench {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Variable;
using torch::autograd::variable_list;

template <typename T>
at::Tensor tensor_of(const std::vector<T>& values) {
  return torch::tensor(values);
}

/// Re A and Im A share their pattern.
struct Pattern {
  at::Tensor row_ptr, column, row;
};

/// [Re(A x) | Im(A x)] for x = [re | im] side by side.
at::Tensor multiply(const Pattern& pattern, const at::Tensor& re, const at::Tensor& im, const at::Tensor& x) {
  const std::int64_t f = x.size(1) / 2;
  const auto matrix = [&](const at::Tensor& values) {
    return at::_sparse_csr_tensor_unsafe(pattern.row_ptr, pattern.column, values, {x.size(0), x.size(0)},
                                         values.options().layout(at::kSparseCsr));
  };
  at::Tensor y = at::mm(matrix(re), x);
  const at::Tensor turned = at::mm(matrix(im), x);
  y.slice(1, 0, f).sub_(turned.slice(1, f));
  y.slice(1, f).add_(turned.slice(1, 0, f));
  return y;
}

/// left_i . right_j at the positions of the pattern, in slices that stay in the cache, or that keep a GPU
/// busy.
at::Tensor sampled_product(const Pattern& pattern, const at::Tensor& left, const at::Tensor& right) {
  const std::int64_t slice = left.is_cuda() ? 1 << 16 : 1 << 13;
  const at::Tensor result = at::empty({pattern.column.size(0)}, left.options());
  for (std::int64_t at = 0; at < result.size(0); at += slice) {
    const std::int64_t end = std::min(at + slice, result.size(0));
    result.slice(0, at, end)
        .copy_((left.index_select(0, pattern.row.slice(0, at, end)) *
                right.index_select(0, pattern.column.slice(0, at, end)))
                   .sum(1));
  }
  return result;
}

/// A x for a Hermitian A, so that the gradient in x is A itself.
class ProductFunction : public torch::autograd::Function<ProductFunction> {
 public:
  static Variable forward(AutogradContext* ctx, const Variable& re, const Variable& im, const Variable& x,
                          const Pattern& pattern) {
    ctx->save_for_backward({re, im, x, pattern.row_ptr, pattern.column, pattern.row});
    return multiply(pattern, re, im, x);
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
    const variable_list saved = ctx->get_saved_variables();
    const Pattern pattern{saved[3], saved[4], saved[5]};
    const at::Tensor& x = saved[2];
    const at::Tensor g = grads[0].contiguous();
    const std::int64_t f = x.size(1) / 2;
    const at::Tensor turned = at::cat({-x.slice(1, f), x.slice(1, 0, f)}, 1);
    return {sampled_product(pattern, g, x), sampled_product(pattern, g, turned),
            multiply(pattern, saved[0], saved[1], g), Variable()};
  }
};

}  // namespace

AssembledPath::AssembledPath(const Hypergraph& h, std::int64_t d) : nodes_(h.node_count()), d_(d) {
  std::vector<std::int64_t> first;
  std::vector<std::int64_t> second;
  std::vector<float> scale;
  std::vector<float> turn;
  std::vector<std::int64_t> key;  // (u, v) of a pair as one number
  for (Index e = 0; e < h.edge_count(); ++e) {
    for (Offset i = h.edge_ptr()[e]; i < h.edge_ptr()[e + 1]; ++i) {
      for (Offset j = h.edge_ptr()[e]; j < h.edge_ptr()[e + 1]; ++j) {
        first.push_back(i);
        second.push_back(j);
        scale.push_back(1.0F / static_cast<float>(h.size(e)));
        turn.push_back(static_cast<float>(h.role(e, j)) - static_cast<float>(h.role(e, i)));
        key.push_back(h.member_nodes()[i] * nodes_ + h.member_nodes()[j]);
      }
    }
  }
  std::vector<std::int64_t> distinct = key;
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());

  // Row (u, k) holds the columns (v, k) of all neighbours v.
  std::vector<std::int64_t> begin(nodes_ + 1, 0);
  for (const std::int64_t pair : distinct) ++begin[pair / nodes_ + 1];
  for (std::int64_t u = 0; u < nodes_; ++u) begin[u + 1] += begin[u];
  std::vector<std::int64_t> row_ptr{0};
  std::vector<std::int64_t> column;
  std::vector<std::int64_t> row;
  for (std::int64_t u = 0; u < nodes_; ++u) {
    for (std::int64_t k = 0; k < d; ++k) {
      for (std::int64_t j = begin[u]; j < begin[u + 1]; ++j) {
        column.push_back(distinct[j] % nodes_ * d + k);
        row.push_back(u * d + k);
      }
      row_ptr.push_back(static_cast<std::int64_t>(column.size()));
    }
  }
  std::vector<std::int64_t> slot;
  for (const std::int64_t pair : key) {
    const std::int64_t u = pair / nodes_;
    const std::int64_t j =
        std::lower_bound(distinct.begin(), distinct.end(), pair) - distinct.begin() - begin[u];
    for (std::int64_t k = 0; k < d; ++k) slot.push_back(d * begin[u] + k * (begin[u + 1] - begin[u]) + j);
  }
  node_ = tensor_of(std::vector<std::int64_t>(h.member_nodes().begin(), h.member_nodes().end()));
  first_ = tensor_of(first);
  second_ = tensor_of(second);
  scale_ = tensor_of(scale).unsqueeze(1);
  turn_ = tensor_of(turn).unsqueeze(1);
  slot_ = tensor_of(slot);
  row_ptr_ = tensor_of(row_ptr);
  column_ = tensor_of(column);
  row_ = tensor_of(row);
}

void AssembledPath::to(const at::Device& device) {
  for (at::Tensor* part : {&node_, &first_, &second_, &scale_, &turn_, &slot_, &row_ptr_, &column_, &row_})
    *part = part->to(device);
}

at::Tensor AssembledPath::normalized(const at::Tensor& maps) const {
  const at::Tensor degree = at::zeros({nodes_, d_}, maps.options()).index_add(0, node_, maps * maps);
  return maps * degree.index_select(0, node_).rsqrt();
}

at::Tensor AssembledPath::diffuse(const at::Tensor& x, const at::Tensor& maps, double q) const {
  const at::Tensor f = normalized(maps);
  const at::Tensor blocks = f.index_select(0, first_) * f.index_select(0, second_) * scale_;
  const at::Tensor angle = turn_ * (2 * std::numbers::pi * q);
  const at::Tensor zeros = at::zeros({column_.size(0)}, maps.options());
  const at::Tensor re = zeros.index_add(0, slot_, (blocks * angle.cos()).view(-1));
  const at::Tensor im = zeros.index_add(0, slot_, (blocks * angle.sin()).view(-1));
  const std::int64_t channels = x.size(3);
  const Pattern pattern{row_ptr_, column_, row_};
  return ProductFunction::apply(re, im, x.view({nodes_ * d_, 2 * channels}), pattern).view(x.sizes());
}

}  // namespace dshn::bench
