#include "dshn/ranks/group.hpp"

#include <ATen/ATen.h>

namespace dshn::ranks {
namespace {

/// How many rows each rank has.
std::vector<std::int64_t> counts_of(const at::Tensor& rows, const Group& group) {
  const at::Tensor counts = at::zeros({group.size()}, at::kLong);
  counts[group.rank()] = rows.size(0);
  group.sum(counts);
  const auto* const begin = counts.data_ptr<std::int64_t>();
  return {begin, begin + group.size()};
}

}  // namespace

std::vector<at::Tensor> Group::all(const at::Tensor& rows) const {
  const std::vector<std::int64_t> received = counts_of(rows, *this);
  const std::vector<std::int64_t> sent(size(), rows.size(0));
  const std::vector<at::Tensor> copies(size(), rows);
  return begin_exchange(at::cat(copies), sent, received)().split_with_sizes(received);
}

at::Tensor Group::gathered(const at::Tensor& rows) const {
  const std::vector<std::int64_t> counts = counts_of(rows, *this);
  const std::vector<std::int64_t> nothing(size(), 0);
  std::vector<std::int64_t> sent = nothing;
  sent[0] = rows.size(0);
  const at::Tensor received = begin_exchange(rows, sent, rank() == 0 ? counts : nothing)();
  return rank() == 0 ? received : at::Tensor();
}

}  // namespace dshn::ranks
