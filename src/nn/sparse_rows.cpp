#include "dshn/nn/sparse_rows.hpp"

#include <torch/torch.h>

#include "dshn/ops/segment.hpp"

namespace dshn::nn {
namespace {

/// A BLAS multiplies some ten times as many numbers a second as can be gathered, that of a GPU some forty.
constexpr std::int64_t kFewestColumns = 64;
constexpr std::int64_t kOneEntryIn = 12;
constexpr std::int64_t kOneEntryInOnGpu = 40;

/// Where each of `rows` rows begins, and the end; `row` of each entry, ascending or not.
at::Tensor row_ends(const at::Tensor& row, std::int64_t rows) {
  return at::cat({at::zeros({1}, row.options()), at::bincount(row, {}, rows).cumsum(0)});
}

/// All entries are tails.
ops::View view_of(const at::Tensor& ptr, const at::Tensor& index, const at::Tensor& position) {
  return {ptr, ptr.slice(0, 1).clone(), index.to(at::kInt), position};
}

}  // namespace

std::shared_ptr<const SparseRows> SparseRows::of(const at::Tensor& x) {
  if (!x.defined() || x.size(1) < kFewestColumns) return nullptr;
  const std::int64_t one_in = x.is_cpu() ? kOneEntryIn : kOneEntryInOnGpu;
  if (at::count_nonzero(x).item<std::int64_t>() * one_in > x.numel()) return nullptr;
  return std::shared_ptr<const SparseRows>(new SparseRows(x));
}

SparseRows::SparseRows(const at::Tensor& x) : dense_(x) {
  const std::vector<at::Tensor> place = at::nonzero_numpy(x);  // by row
  const auto [columns, order] = at::sort(place[1], /*stable=*/true, 0, /*descending=*/false);
  entries_.by_edge = view_of(row_ends(place[0], x.size(0)), place[1], at::empty({0}, columns.options()));
  entries_.by_node = view_of(row_ends(columns, x.size(1)), place[0].index_select(0, order), order);
  values_ = x.index({place[0], place[1]});
  if (values_.eq(1).all().item<bool>()) values_ = at::Tensor();
  numbers_ = place[0] * x.size(1) + place[1];
}

at::Tensor SparseRows::linear(const at::Tensor& weight, const at::Tensor& bias, const Step& step,
                              double dropout) const {
  at::Tensor values = values_;
  if (step.training && dropout > 0) {
    if (!values.defined()) values = at::ones({entries_.incidences()}, weight.options());
    values = ops::dropout_at(values, numbers_, dropout, step.masks->next());
  }
  const at::Tensor columns = weight.t().contiguous();
  const at::Tensor y = values.defined() ? ops::gather_sum(columns, values, ops::Over::edges, entries_)
                                        : ops::gather_sum(columns, ops::Over::edges, entries_);
  return bias.defined() ? y + bias : y;
}

}  // namespace dshn::nn
