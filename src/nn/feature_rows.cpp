#include "dshn/nn/feature_rows.hpp"

#include <torch/torch.h>

#include "dshn/nn/linear.hpp"
#include "dshn/ops/segment.hpp"

namespace dshn::nn {
namespace {

/// The BLAS of a GPU multiplies some forty times as many numbers a second as can be gathered.
constexpr std::int64_t kOneEntryInOnGpu = 40;

/// Where each of `rows` rows begins, and the end.
at::Tensor row_ends(const at::Tensor& row_of_entry, std::int64_t rows) {
  return at::cat({at::zeros({1}, row_of_entry.options()), at::bincount(row_of_entry, {}, rows).cumsum(0)});
}

}  // namespace

FeatureRows::FeatureRows(at::Tensor dense) {
  if (!dense.defined()) return;
  rows_ = dense.size(0);
  columns_ = dense.size(1);
  options_ = dense.options().requires_grad(false);
  dense_ = std::move(dense);
}

FeatureRows::FeatureRows(const at::Tensor& row_ptr, const at::Tensor& columns, at::Tensor values,
                         at::ScalarType type, std::int64_t column_count)
    : rows_(row_ptr.size(0) - 1),
      columns_(column_count),
      options_(at::TensorOptions(row_ptr.device()).dtype(type)) {
  auto entries = std::make_shared<Entries>();
  entries->incidence = ops::Incidence::of_rows(row_ptr, columns, columns_);
  entries->values = std::move(values);
  entries->numbers = entries->incidence.by_edge().rows() * columns_ + columns;
  entries_ = std::move(entries);
}

FeatureRows FeatureRows::by_entries(const at::Tensor& dense) {
  const std::vector<at::Tensor> place = at::nonzero_numpy(dense);  // by row
  at::Tensor values = dense.index({place[0], place[1]});
  if (values.eq(1).all().item<bool>()) values = at::Tensor();
  return {row_ends(place[0], dense.size(0)), place[1].to(at::kInt), values, dense.scalar_type(),
          dense.size(1)};
}

at::Tensor FeatureRows::dense() const {
  if (!sparse()) return dense_;
  at::Tensor all = at::zeros({rows_ * columns_}, options_);
  all.index_put_({entries_->numbers}, entries_->values.defined() ? entries_->values : at::ones({}, options_));
  return all.view({rows_, columns_});
}

FeatureRows FeatureRows::to(const at::Device& device, at::ScalarType type) const {
  if (!sparse()) return dense_.defined() ? FeatureRows(dense_.to(device, type)) : FeatureRows();
  if (device == this->device() && type == scalar_type()) return *this;
  FeatureRows moved = *this;
  moved.options_ = at::TensorOptions(device).dtype(type);
  auto entries = std::make_shared<Entries>(*entries_);
  entries->incidence = entries_->incidence.to(device);
  entries->numbers = entries_->numbers.to(device);
  if (entries->values.defined()) entries->values = entries->values.to(device, type);
  moved.entries_ = std::move(entries);
  const bool many = this->entries() * kOneEntryInOnGpu > numel();
  return device.is_cuda() && many ? FeatureRows(moved.dense()) : moved;
}

at::Tensor FeatureRows::linear(const at::Tensor& weight, const at::Tensor& bias, const Step& step,
                               double dropout) const {
  if (!sparse()) return linear_rows(step.drop(dense_, dropout), weight, bias);
  at::Tensor values = entries_->values;
  if (step.training && dropout > 0) {
    if (!values.defined()) values = at::ones({entries()}, weight.options());
    values = ops::dropout_at(values, entries_->numbers, dropout, step.masks->next());
  }
  const at::Tensor columns = weight.t().contiguous();
  const at::Tensor y = values.defined()
                           ? ops::gather_sum(columns, values, ops::Over::edges, entries_->incidence)
                           : ops::gather_sum(columns, ops::Over::edges, entries_->incidence);
  return bias.defined() ? y + bias : y;
}

}  // namespace dshn::nn
