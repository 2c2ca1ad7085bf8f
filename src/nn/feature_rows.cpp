#include "dshn/nn/feature_rows.hpp"

#include <torch/torch.h>

#include <numeric>

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
    : FeatureRows(ops::Incidence::of_rows(row_ptr, columns, column_count), std::move(values), type) {}

FeatureRows::FeatureRows(ops::Incidence incidence, at::Tensor values, at::ScalarType type)
    : rows_(incidence.edges()),
      columns_(incidence.nodes()),
      options_(at::TensorOptions(incidence.device()).dtype(type)),
      entries_(std::make_shared<Entries>()) {
  entries_->incidence = std::move(incidence);
  entries_->values = std::move(values);
  // Streams of a GPU would not wait for the one that makes them.
  if (!options_.device().is_cpu()) numbers();
}

FeatureRows FeatureRows::by_entries(const at::Tensor& dense) {
  const std::vector<at::Tensor> place = at::nonzero_numpy(dense);  // by row
  at::Tensor values = dense.index({place[0], place[1]});
  if (values.eq(1).all().item<bool>()) values = at::Tensor();
  return {row_ends(place[0], dense.size(0)), place[1].to(at::kInt), values, dense.scalar_type(),
          dense.size(1)};
}

const at::Tensor& FeatureRows::numbers() const {
  std::call_once(entries_->numbered, [this] {
    const ops::View& view = entries_->incidence.by_edge();
    entries_->numbers = view.rows().mul_(columns_).add_(view.index);
  });
  return entries_->numbers;
}

const at::Tensor& FeatureRows::numbers(const at::Tensor& rows_in_whole) const {
  if (!rows_in_whole.defined()) return numbers();
  std::call_once(entries_->numbered_in_whole, [&] {
    const ops::View& view = entries_->incidence.by_edge();
    entries_->numbers_in_whole = rows_in_whole.index_select(0, view.rows()).mul_(columns_).add_(view.index);
  });
  return entries_->numbers_in_whole;
}

at::Tensor FeatureRows::dense_on(const at::TensorOptions& options) const {
  if (!sparse()) return dense_.defined() ? dense_.to(options) : dense_;
  const at::Tensor& values = entries_->values;
  const at::Tensor all = at::zeros({rows_ * columns_}, options);
  all.index_put_({numbers().to(options.device())},
                 values.defined() ? values.to(options) : at::ones({}, options));
  return all.view({rows_, columns_});
}

FeatureRows FeatureRows::to(const at::Device& device, at::ScalarType type) const {
  const at::TensorOptions options = at::TensorOptions(device).dtype(type);
  const bool many = entries() * kOneEntryInOnGpu > numel();
  if (!sparse() || (device.is_cuda() && many)) return dense_on(options);
  if (device == this->device() && type == scalar_type()) return *this;
  const at::Tensor& values = entries_->values;
  return {entries_->incidence.to(device), values.defined() ? values.to(options) : values, type};
}

FeatureRows FeatureRows::select(const at::Tensor& rows) const {
  if (!sparse()) return dense_.index_select(0, rows);
  const ops::View& view = entries_->incidence.by_edge();
  const at::Tensor sizes = view.row_sizes().index_select(0, rows);
  const at::Tensor ends = at::cat({at::zeros({1}, sizes.options()), sizes.cumsum(0)});
  // Entry i of the rows taken is as far from its row's beginning there as here.
  const at::Tensor shift = view.ptr.index_select(0, rows) - ends.slice(0, 0, -1);
  const at::Tensor entries =
      at::arange(ends[-1].item<std::int64_t>(), sizes.options()) + shift.repeat_interleave(sizes);
  const at::Tensor& values = entries_->values;
  return {ends, view.index.index_select(0, entries),
          values.defined() ? values.index_select(0, entries) : values, scalar_type(), columns_};
}

bool FeatureRows::requires_grad() const {
  const at::Tensor& stored = sparse() ? entries_->values : dense_;
  return stored.defined() && stored.requires_grad();
}

at::Tensor FeatureRows::values() const {
  if (!sparse()) return dense_;
  return entries_->values.defined() ? entries_->values : at::ones({entries()}, options_);
}

FeatureRows FeatureRows::with_values(const at::Tensor& values) const {
  if (!sparse()) return values;
  return {entries_->incidence, values, scalar_type()};
}

FeatureRows::Row FeatureRows::row(std::int64_t r) const {
  Row found{r * columns_, {}};
  if (!sparse()) {
    found.columns.resize(columns_);
    std::iota(found.columns.begin(), found.columns.end(), 0);
    return found;
  }
  const ops::View& view = entries_->incidence.by_edge();
  const at::Tensor ends = view.ptr.narrow(0, r, 2).to(at::kCPU);
  found.begin = ends[0].item<std::int64_t>();
  const at::Tensor columns =
      view.index.narrow(0, found.begin, ends[1].item<std::int64_t>() - found.begin).to(at::kCPU);
  found.columns.assign(columns.data_ptr<std::int32_t>(), columns.data_ptr<std::int32_t>() + columns.numel());
  return found;
}

at::Tensor FeatureRows::linear(const at::Tensor& weight, const at::Tensor& bias, const Step& step,
                               double dropout) const {
  if (!sparse()) return linear_rows(step.drop(dense_, dropout, Rows::nodes), weight, bias);
  at::Tensor values = entries_->values;
  if (step.training && dropout > 0) {
    if (!values.defined()) values = at::ones({entries()}, weight.options());
    const ops::MaskKey key = step.masks->next(Rows::nodes);
    values = ops::dropout_at(values, numbers(key.rows), dropout, {key.step_key, key.call});
  }
  const at::Tensor columns = weight.t().contiguous();
  const at::Tensor y = values.defined()
                           ? ops::gather_sum(columns, values, ops::Over::edges, entries_->incidence)
                           : ops::gather_sum(columns, ops::Over::edges, entries_->incidence);
  return bias.defined() ? y + bias : y;
}

}  // namespace dshn::nn
